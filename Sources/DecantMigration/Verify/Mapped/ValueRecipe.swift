internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

/// How to compute one attribute of an expected object: by SQL over the source row `s`, or by evaluating an expression.
struct ValueRecipe {
  let attribute: String
  /// The column; `nil` for an attribute that isn't compared here.
  let column: String?
  /// The value as SQL; `nil` if an expression is evaluated.
  let sql: String?
  let expression: FormatExpression?
  let fit: AttributeFit?

  /// The recipes for the attributes of a mapping's destination.
  static func recipes(of mapping: PassPlan.Mapping, in expected: ExpectedStore) -> [ValueRecipe] {
    let plan = expected.plan
    let bySQL = expected.kept[mapping.number]?.way == .rows
    var recipes: [ValueRecipe] = []
    for attribute in plan.destination.model.attributes(of: mapping.destination) where !attribute.isTransient {
      guard let column = plan.destination.attributeColumn(attribute.name, of: mapping.destination) else {
        continue
      }
      func constant(_ sql: String) -> ValueRecipe {
        ValueRecipe(attribute: attribute.name, column: column, sql: sql, expression: nil, fit: nil)
      }
      guard !attribute.isDerived else {
        recipes.append(constant(attribute.type == .date ? "CAST(\(expected.step.time) AS REAL)" : "NULL"))
        continue
      }
      let standard = SQLLiteral.text(
        attribute.defaultValue, isExternal: attribute.allowsExternalBinaryDataStorage)
      let row = mapping.mapping.attributeMappings.first { $0.destinationName == attribute.name }
      let expression: FormatExpression
      var fallback: String?
      switch row?.value {
      case nil, .unset, .defaultValue, .derived:
        recipes.append(constant(standard))
        continue
      case .source(let name): expression = .path(from: .variable("source"), [.key(name)])
      case .sourceOrDefault(let name):
        expression = .path(from: .variable("source"), [.key(name)])
        fallback = standard
      case .expression(let given): expression = given
      }
      if let copy = copied(expression, to: attribute, mapping, plan) {
        recipes.append(constant(fallback.map { "ifnull(\(copy), \($0))" } ?? copy))
        continue
      }
      guard !expected.code.isMissing(expression) else {
        expected.unjudgedProperties[
          .init(entity: mapping.destination, name: attribute.name), default: 0] += 1
        continue
      }
      let fit = AttributeFit(attribute, entity: mapping.destination)
      // A value with a default for nil comes from a plain source attribute, which is always SQL.
      if bySQL || fallback != nil {
        let sql = SourceSQL(layout: plan.source, entity: mapping.source)
        if let typed = try? sql.typed(expression) {
          let stored = fit.stored(typed)
          recipes.append(constant(fallback.map { "ifnull(\(stored), \($0))" } ?? stored))
          continue
        }
        expected.samePath.append("\(mapping.destination).\(attribute.name)")
      }
      recipes.append(
        ValueRecipe(attribute: attribute.name, column: column, sql: nil, expression: expression, fit: fit))
    }
    return recipes
  }

  /// A copied attribute keeps its column's value, whatever the framework has written.
  ///
  /// External storage adds or removes the marker (docs/formats/core-data-sqlite.md 7.2).
  private static func copied(
    _ expression: FormatExpression, to attribute: Attribute, _ mapping: PassPlan.Mapping, _ plan: PassPlan
  ) -> String? {
    guard case .keyPath(let path) = expression, path.operand == .variable("source"), path.steps.count == 1,
      case .key(let name) = path.steps[0], let former = plan.source.model.attribute(name, of: mapping.source),
      former.type == attribute.type, !former.isTransient, former.elements.isEmpty,
      let column = plan.source.attributeColumn(name, of: mapping.source)
    else { return nil }
    let value = "s.\(quoted(column))"
    if former.allowsExternalBinaryDataStorage == attribute.allowsExternalBinaryDataStorage { return value }
    return former.allowsExternalBinaryDataStorage
      ? "\(ExternalDataFunction.inline)(\(value))" : "\(ExternalDataFunction.marked)(\(value))"
  }
}
