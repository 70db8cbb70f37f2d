internal import DecantModel
internal import DecantStore

/// The place of a relationship's targets for one owner.
enum StoredRelationship {
  /// A column of the owner's row holds the target's key.
  case toOne(column: String)
  /// A column of the targets' rows holds the owner's key.
  case atTargets(column: String, order: String?)
  /// A join table holds both keys.
  case join(table: String, owner: String, target: String, order: String?)
  /// Transient: it has no targets.
  case none

  /// Finds the storage of a relationship of an entity, own or inherited; `nil` if the layout has none.
  init?(_ relationship: Relationship, of entity: String, in layout: StoreLayout) {
    if relationship.isTransient {
      self = .none
      return
    }
    let name = relationship.name
    guard relationship.isToMany else {
      guard let column = layout.toOneColumn(name, of: entity) else { return nil }
      self = .toOne(column: column)
      return
    }
    guard let inverse = layout.model.inverse(of: relationship) else {
      guard let column = layout.ownerColumn(name, of: entity) else { return nil }
      self = .atTargets(column: column, order: nil)
      return
    }
    if inverse.relationship.isToMany {
      guard let (join, isNaming) = layout.joinTable(name, of: entity) else { return nil }
      let (own, other) = isNaming ? (join.second, join.first) : (join.first, join.second)
      self = .join(table: join.name, owner: other.column, target: own.column, order: own.orderColumn)
      return
    }
    let (target, back) = (inverse.entity.name, inverse.relationship.name)
    guard let column = layout.toOneColumn(back, of: target) else { return nil }
    self = .atTargets(
      column: column, order: relationship.isOrdered ? layout.orderColumn(back, of: target) : nil)
  }
}

extension StoreLayout {
  /// The condition that a row of an entity's table is of that entity or a subentity; `nil` if every row is.
  func membership(of entity: String, alias: String) -> String? {
    guard model.root(of: entity)?.name != entity else { return nil }
    let numbers = entityNumbers(inFamilyOf: entity).map(String.init).joined(separator: ", ")
    return "\(alias).Z_ENT IN (\(numbers))"
  }
}
