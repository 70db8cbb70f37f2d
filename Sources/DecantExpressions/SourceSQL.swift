package import DecantStore
package import PredicateFormat

/// Compiles expressions over one row of a source entity.
///
/// The row's table has the alias `s`, and `SELF` and `$source` refer to the row.
///
/// The result is the same as that of the evaluator for a `RowObject`, and an error of the evaluator ends the
/// statement. Rows must be of the entity or a subentity. The statements need `ExpressionFunctions`, and
/// `ExternalDataFunction` if the model has external values. Texts are assumed to be UTF-8.
package struct SourceSQL {
  let layout: StoreLayout
  let entity: String
  private let schema: String

  /// - Parameter schema: The name under which the source store is attached.
  package init(layout: StoreLayout, entity: String, schema: String = "source") {
    self.layout = layout
    self.entity = entity
    self.schema = schema
  }

  private var compiler: Compiler { Compiler(layout: layout, schema: schema, alias: "s", entity: entity) }

  /// The value in a store's form: a date is a REAL, a UUID is a BLOB, and a truth value is 0 or 1.
  ///
  /// - Throws: `NotSQL`, also if the expression is known to give a collection or an object.
  package func value(_ expression: FormatExpression) throws(NotSQL) -> String {
    let value = try typed(expression)
    return value.kind == .any ? "\(ExpressionFunctions.plain)(\(value.text))" : value.text
  }

  /// The value with its kind, by which `AttributeFit` distinguishes a date from a number.
  ///
  /// - Throws: `NotSQL`, also if the expression is known to give a collection or an object.
  package func typed(_ expression: FormatExpression) throws(NotSQL) -> SQLValue {
    var compiler = compiler
    let value = try compiler.single(try compiler.operand(expression))
    if value.isObject { throw NotSQL("it gives an object, but a plain value is needed") }
    try SQLNesting.check(value.text)
    return value
  }

  /// The primary key of an expression's object, with its entity.
  ///
  /// - Throws: `NotSQL` if the expression gives anything else.
  package func object(_ expression: FormatExpression) throws(NotSQL) -> (key: String, entity: String) {
    var compiler = compiler
    let value = try compiler.single(try compiler.operand(expression))
    guard case .object(let entity) = value.kind else { throw NotSQL("it gives no object") }
    try SQLNesting.check(value.text)
    return (value.text, entity)
  }

  /// SQL that is 1 or 0, never NULL.
  package func condition(_ predicate: FormatPredicate) throws(NotSQL) -> String {
    var compiler = compiler
    let text = try compiler.condition(predicate)
    try SQLNesting.check(text)
    return text
  }
}
