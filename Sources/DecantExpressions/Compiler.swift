internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// Compiles expressions and predicates over one row into SQL.
///
/// SQL is used where its results equal the evaluator's. Other parts become a `Residue`, whose leaves are SQL. `NotSQL`
/// is thrown for a part that can't be computed within a statement at all.
struct Compiler {
  let layout: StoreLayout
  let schema: String
  let base: Route
  var variables: [String: Operand]
  private var lastNumber = 0

  init(layout: StoreLayout, schema: String, alias: String, entity: String) {
    self.layout = layout
    self.schema = schema
    base = Route(alias: alias, entity: entity)
    variables = ["source": .row(base)]
  }

  mutating func name(_ letter: String) -> String {
    lastNumber += 1
    return letter + String(lastNumber)
  }

  /// The size limit of the SQL for one expression, in bytes.
  ///
  /// Some parts occur more than once in the SQL, so nesting can multiply its size.
  private static let maximumBytes = 1 << 20

  static func check(_ text: String) throws(NotSQL) {
    guard text.utf8.count <= maximumBytes else { throw NotSQL("the statement would be too long") }
  }

  mutating func operand(_ expression: FormatExpression) throws(NotSQL) -> Operand {
    let operand = try found(expression)
    if case .value(let value) = operand { try Self.check(value.text) }
    return operand
  }

  private mutating func found(_ expression: FormatExpression) throws(NotSQL) -> Operand {
    switch expression {
    case .constant(let value): return .constant(value)
    case .selfObject: return .row(base)
    case .variable(let name):
      guard let known = variables[name] else {
        throw NotSQL(
          "the variable “$\(name)” has no value in a statement, only where objects are made row by row")
      }
      return known
    case .keyPath(let path):
      let start = try operand(path.operand)
      return try follow(path.steps[...], from: start)
    case .function(let name, let arguments): return try call(name, arguments)
    case .message(_, let selector, _):
      throw NotSQL("FUNCTION(…, “\(selector)”) calls a method of an object, and a statement has no objects")
    case .cast(let inner, let type): return try cast(try operand(inner), to: type)
    case .ternary(let condition, let positive, let negative):
      let condition = try self.condition(condition)
      let first = try operand(positive)
      return try choice(condition, first, try operand(negative))
    case .subquery(let collection, let variable, let predicate):
      return try subquery(try operand(collection), variable, predicate)
    case .fetch: throw NotSQL("FETCH needs a managed object context")
    case .aggregate(let members):
      return try residue(of: try operands(members)) { .aggregate($0) }
    case .set(let operation, let left, let right):
      return try residue(of: try operands([left, right])) { .set(operation, $0[0], $0[1]) }
    case .assignment: throw NotSQL("an assignment can't be evaluated")
    case .anyKey: throw NotSQL("ANYKEY can't be evaluated")
    }
  }

  mutating func operands(_ expressions: [FormatExpression]) throws(NotSQL) -> [Operand] {
    var operands: [Operand] = []
    for expression in expressions { operands.append(try operand(expression)) }
    return operands
  }

  /// One value; a collection is refused.
  mutating func single(_ operand: Operand) throws(NotSQL) -> SQLValue {
    switch operand {
    case .rows, .members: throw NotSQL("it gives many values, where one is wanted")
    case .residue(let residue) where residue.isCollection:
      throw NotSQL("it gives many values, where one is wanted")
    default: return try whole(operand)
    }
  }

  /// The value; the members of a collection are gathered into one value.
  mutating func whole(_ operand: Operand) throws(NotSQL) -> SQLValue {
    switch operand {
    case .value(let value): return value
    case .constant(let value):
      if let text = SQLText.constant(value) { return text }
      return try evaluated(Residue(expression: .constant(value), leaves: [], holdsObjects: false))
    case .row(let route): return SQLValue(route.key, .object(route.entity))
    case .rows(let route):
      return try gathered(route, SQLValue("\(route.alias).Z_PK", .object(route.entity)))
    case .members(let route, let value): return try gathered(route, value)
    case .residue(let residue): return try evaluated(residue)
    }
  }

  private func gathered(_ route: Route, _ value: SQLValue) throws(NotSQL) -> SQLValue {
    if value.kind == .transformable { throw Self.opaque }
    let function = route.isSet ? ExpressionFunctions.set : ExpressionFunctions.list
    let code = SQLText.string(LeafCode.code(of: value.kind, in: layout))
    let text = route.unlessNil("(SELECT \(function)(\(code), v) FROM (\(route.each(value.text))))")
    return SQLValue(text, .any, mayHoldObjects: value.isObject || value.mayHoldObjects)
  }

  static let opaque = NotSQL("a statement can't read the content of a transformable value; only a policy can")
}
