internal import DecantExpressions
internal import DecantModel
internal import DecantPolicies
internal import PredicateFormat

extension SourceRows {
  /// The objects of a fetched property of a row, in the order of their keys (docs/formats/model-files.md 2.6).
  ///
  /// Each call runs the fetch again. `$FETCH_SOURCE` is the row.
  ///
  /// - Returns: `nil` if the entity has no such property.
  func fetched(_ name: String, of row: RowObject) throws -> [ManagedObject]? {
    let own = layout.model.chain(of: row.entity).lazy.flatMap(\.fetchedProperties).first { $0.name == name }
    guard let own else { return nil }
    guard let request = own.request else { return [] }
    guard let home else { throw PolicyProblem.notRunning("the context") }
    let source = FormatExpression.literal(.object(ObjectReference(row)))
    let predicate = try request.predicateFormat.map {
      try FormatPredicate(parsing: $0).replacing(.variable("FETCH_SOURCE"), with: source)
    }
    return try home.fetch(
      ManagedObjectContext.Query(
        entity: request.entityName, predicate: predicate,
        limit: request.fetchLimit > 0 ? request.fetchLimit : nil,
        includesSubentities: request.flags["includeSubentities"] ?? request.flags["includesSubentities"] ?? true
      ))
  }
}
