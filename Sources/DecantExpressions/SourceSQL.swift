package import DecantStore
package import PredicateFormat

/// Compiles expressions over one row of a source entity; the row is alias `s` of its table, and SELF and `$source` are it.
///
/// The result is exactly that of evaluating over a `RowObject`: where the evaluator gives an error, the statement ends
/// with it. Rows have to be of the entity or of one below it. The statements need `ExpressionFunctions`, and
/// `ExternalDataFunction` where the model keeps values outside. Texts are taken to be the UTF-8 that a store has.
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

  /// The value as a store holds it: a date is a REAL, a UUID a BLOB, a truth value 0 or 1.
  ///
  /// - Throws: `NotSQL`, for collections and objects too.
  package func value(_ expression: FormatExpression) throws(NotSQL) -> String {
    let value = try typed(expression)
    return value.kind == .any ? "\(ExpressionFunctions.plain)(\(value.text))" : value.text
  }

  /// The value with its kind, which `AttributeFit` needs to tell a date from a number.
  ///
  /// - Throws: `NotSQL`, for collections and objects too.
  package func typed(_ expression: FormatExpression) throws(NotSQL) -> SQLValue {
    var compiler = compiler
    let value = try compiler.single(try compiler.operand(expression))
    if value.isObject { throw NotSQL("it gives an object, where a plain value is wanted") }
    try SQLNesting.check(value.text)
    return value
  }

  /// The primary key of the object that an expression gives, with the entity that it is of.
  ///
  /// - Throws: `NotSQL` where the expression gives anything else.
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
