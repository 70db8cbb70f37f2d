internal import DecantExpressions
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// A path of source relationships as joins from one row, `s`.
struct SourcePath {
  private(set) var joins: [String] = []
  /// The key of the source object at the path's end.
  private(set) var key = "s.Z_PK"
  /// The column that orders the targets of one row; `nil` for the order of their keys.
  private(set) var place: String?
  /// The entity at the path's end.
  private(set) var entity: String
  /// The last step; `nil` for an empty path, which leads to the source object itself.
  private(set) var last: (relationship: Relationship, storage: RelationshipStorage)?

  /// - Throws: `NotSQL` for a step that isn't a stored relationship.
  init(_ names: [String], from entity: String, in layout: StoreLayout) throws(NotSQL) {
    self.entity = entity
    for (index, name) in names.enumerated() {
      guard let relationship = layout.model.relationship(name, of: self.entity),
        let storage = RelationshipStorage(of: name, entity: self.entity, in: layout)
      else { throw NotSQL("“\(self.entity)” has no stored relationship “\(name)”") }
      let alias = "p\(index)"
      let join = "JOIN source.\(quoted(storage.table)) AS \(alias) ON "
      switch storage.kind {
      case .owners where index == 0: key = "s." + quoted(storage.target)
      case .owners, .targets, .join:
        joins.append(join + "\(alias).\(quoted(storage.owner)) = \(key)")
        key = "\(alias).\(quoted(storage.target))"
      }
      last = (relationship, storage)
      place = storage.order.map { "\(alias).\(quoted($0))" }
      self.entity = relationship.destinationEntityName
    }
  }
}
