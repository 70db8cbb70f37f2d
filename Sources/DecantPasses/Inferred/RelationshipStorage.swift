internal import DecantModel
package import DecantStore

/// Where a store keeps the pairs of a relationship: columns of one table, with a row for each pair.
package struct RelationshipStorage: Sendable, Hashable {
  /// The kind of table.
  package enum Kind: Sendable, Hashable {
    /// The table of the owners: each row has its own target.
    case owners
    /// The table of the targets: each row has its own owner.
    case targets
    case join
  }

  package let kind: Kind
  package let table: String
  /// The column with the owner's key.
  package let owner: String
  /// The column with the target's key.
  package let target: String
  /// The column with a target's position among its owner's targets.
  package let order: String?
  /// The column with an owner's position among its target's owners.
  package let inverseOrder: String?

  /// Finds the storage of a relationship, seen from the entity that has it; `nil` if it isn't stored.
  package init?(of name: String, entity: String, in layout: StoreLayout) {
    guard let relationship = layout.model.relationship(name, of: entity), !relationship.isTransient else {
      return nil
    }
    let inverse = layout.model.inverse(of: relationship)
    if !relationship.isToMany {
      guard let table = layout.table(of: entity), let column = layout.toOneColumn(name, of: entity) else {
        return nil
      }
      self.init(
        kind: .owners, table: table.name, owner: "Z_PK", target: column, order: nil,
        inverseOrder: layout.orderColumn(name, of: entity))
      return
    }
    guard let inverse else {
      guard let table = layout.table(of: relationship.destinationEntityName),
        let column = layout.ownerColumn(name, of: entity)
      else { return nil }
      self.init(kind: .targets, table: table.name, owner: column, target: "Z_PK", order: nil, inverseOrder: nil)
      return
    }
    if inverse.relationship.isToMany {
      guard let (join, isNaming) = layout.joinTable(name, of: entity) else { return nil }
      let own = isNaming ? join.second : join.first
      let other = isNaming ? join.first : join.second
      self.init(
        kind: .join, table: join.name, owner: other.column, target: own.column, order: own.orderColumn,
        inverseOrder: other.orderColumn)
      return
    }
    guard let table = layout.table(of: inverse.entity.name),
      let column = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    else { return nil }
    self.init(
      kind: .targets, table: table.name, owner: column, target: "Z_PK",
      order: layout.orderColumn(inverse.relationship.name, of: inverse.entity.name), inverseOrder: nil)
  }

  private init(kind: Kind, table: String, owner: String, target: String, order: String?, inverseOrder: String?)
  {
    self.kind = kind
    self.table = table
    self.owner = owner
    self.target = target
    self.order = order
    self.inverseOrder = inverseOrder
  }

  /// The same pairs seen from the other end.
  package var reversed: RelationshipStorage {
    let kind: Kind =
      switch self.kind {
      case .owners: .targets
      case .targets: .owners
      case .join: .join
      }
    return RelationshipStorage(
      kind: kind, table: table, owner: target, target: owner, order: inverseOrder, inverseOrder: order)
  }

  /// The column by which the table is cut into chunks.
  var key: String { kind == .join ? "rowid" : "Z_PK" }
}
