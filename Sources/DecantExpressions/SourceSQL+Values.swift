internal import DecantModel
package import PredicateFormat

extension SourceSQL {
  /// SQL that is 1 or 0: whether a predicate holds for an attribute's value, which is the predicate's `SELF`
  /// (docs/formats/model-files.md 4.4).
  ///
  /// Parts without an SQL equivalent are evaluated for each row within the statement.
  ///
  /// - Throws: `NotSQL` for an attribute whose values a statement can't read, such as a transformable one, or for a
  ///   predicate whose text doesn't parse to the same predicate.
  package func condition(_ predicate: FormatPredicate, onValueOf attribute: String) throws(NotSQL) -> String {
    guard let declared = layout.model.attribute(attribute, of: entity),
      let column = AttributeColumn(declared, of: entity, in: layout), column.kind != .transformable
    else { throw NotSQL("a statement can't read the values of “\(attribute)”") }
    let path = FormatExpression.path(from: .variable("source"), [.key(attribute)])
    if let text = try? condition(predicate.replacingSelf(with: path)) { return text }
    let name = "decant_self"
    let inner = predicate.replacingSelf(with: .variable(name))
    let text = inner.description
    guard let read = try? FormatPredicate(parsing: text), read == inner else {
      throw NotSQL("“\(predicate)” can't be written as a text that gives the same predicate")
    }
    return "\(ExpressionFunctions.condition)(\(SQLText.string(text)), "
      + "\(SQLText.string("\(name)=\(LeafCode.code(of: column.kind))")), \(column.sql(alias: "s")))"
  }

  /// SQL that is 1 or 0: whether a predicate holds for a relationship's target or set of targets.
  package func condition(
    _ predicate: FormatPredicate, onTargetsOf relationship: String
  ) throws(NotSQL) -> String {
    try condition(
      predicate.replacingSelf(with: .path(from: .variable("source"), [.key(relationship)])))
  }
}
