internal import DecantModel
internal import DecantSQLite

/// Where a store keeps the pairs of a relationship: the table and its columns.
package struct RelationshipStorage: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The table of the owners: each row has the key of its target.
    case owners
    /// The table of the targets: each row has the key of its owner.
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
  /// The column with the entity number of the row's partner, whose key is in the column that `single` names.
  ///
  /// It is `nil` if the partner's entity has no subentities, for join tables, and for to-many relationships without
  /// inverse.
  package let entityColumn: String?

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
        inverseOrder: layout.orderColumn(name, of: entity),
        entityColumn: layout.toOneEntityColumn(name, of: entity))
      return
    }
    guard let inverse else {
      guard let table = layout.table(of: relationship.destinationEntityName),
        let column = layout.ownerColumn(name, of: entity)
      else { return nil }
      self.init(
        kind: .targets, table: table.name, owner: column, target: "Z_PK", order: nil, inverseOrder: nil,
        entityColumn: nil)
      return
    }
    if inverse.relationship.isToMany {
      guard let (join, isNaming) = layout.joinTable(name, of: entity) else { return nil }
      let own = isNaming ? join.second : join.first
      let other = isNaming ? join.first : join.second
      self.init(
        kind: .join, table: join.name, owner: other.column, target: own.column, order: own.orderColumn,
        inverseOrder: other.orderColumn, entityColumn: nil)
      return
    }
    guard
      let other = RelationshipStorage(of: inverse.relationship.name, entity: inverse.entity.name, in: layout)
    else { return nil }
    self = other.reversed
  }

  private init(
    kind: Kind, table: String, owner: String, target: String, order: String?, inverseOrder: String?,
    entityColumn: String?
  ) {
    self.kind = kind
    self.table = table
    self.owner = owner
    self.target = target
    self.order = order
    self.inverseOrder = inverseOrder
    self.entityColumn = entityColumn
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
      kind: kind, table: table, owner: target, target: owner, order: inverseOrder, inverseOrder: order,
      entityColumn: entityColumn)
  }

  /// The column by which the table is cut into chunks.
  package var key: String { kind == .join ? "rowid" : "Z_PK" }

  /// The column with the key of the row's only partner; `nil` for join tables.
  ///
  /// `keyIsOwner` is true if the row's own key is the owner's, and false if it is the target's.
  package var single: (column: String, keyIsOwner: Bool)? {
    switch kind {
    case .owners: (target, true)
    case .targets: (owner, false)
    case .join: nil
    }
  }

  /// The columns to clear in a row that has no partner: the partner's key, entity number and ordering key; empty for
  /// join tables.
  package var cleared: [String] {
    single.map { [$0.column, entityColumn, order ?? inverseOrder].compactMap(\.self) } ?? []
  }

  package var clearing: String { Self.clearing(cleared) }

  package static func clearing(_ columns: [String]) -> String {
    columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
  }
}
