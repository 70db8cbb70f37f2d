struct Evaluation {
  var variables: [String: Value]
  var state: EvaluationState

  var context: EvaluationContext { state.context }

  init(_ context: EvaluationContext) {
    variables = context.variables
    state = EvaluationState(context)
  }

  mutating func value(_ expression: Expression) throws(EvaluationError) -> Value {
    do throws(EvaluationError) {
      try state.spend()
      return try found(expression)
    } catch {
      throw error.located(in: expression)
    }
  }

  mutating func values(_ expressions: [Expression]) throws(EvaluationError) -> [Value] {
    var values: [Value] = []
    for expression in expressions { values.append(try value(expression)) }
    return values
  }

  private mutating func found(_ expression: Expression) throws(EvaluationError) -> Value {
    switch expression {
    case .constant(let value): return value
    case .selfObject: return context.object
    case .variable(let name):
      guard let value = variables[name] else { throw EvaluationError(.unknownVariable(name)) }
      return value
    case .keyPath(let path):
      let operand = try value(path.operand)
      return try walk(operand, path.steps[...])
    case .function(let name, let arguments): return try call(name, try values(arguments))
    case .message(let target, let selector, let arguments):
      let target = try value(target)
      return try send(selector, to: target, try values(arguments))
    case .cast(let inner, let type): return try Casting.value(try value(inner), type: type)
    case .ternary(let condition, let positive, let negative):
      return try holds(condition) ? try value(positive) : try value(negative)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(try value(collection), variable, predicate)
    case .fetch(let request, let context, let countOnly):
      return try fetch(try value(request), try value(context), countOnly)
    case .aggregate(let members): return .array(try values(members))
    case .set(let operation, let left, let right):
      let left = try value(left)
      return try SetOperation.value(operation, left, try value(right))
    case .assignment: throw EvaluationError(.unsupported("an assignment"))
    case .anyKey: throw EvaluationError(.unsupported("ANYKEY"))
    }
  }

  private mutating func subquery(
    _ collection: Value, _ variable: String, _ predicate: Predicate
  ) throws(EvaluationError) -> Value {
    if collection.isNull { return .null }
    guard let members = collection.members else { throw .mismatch(collection, expected: "a collection") }
    let outer = variables[variable]
    var found: [Value] = []
    for member in members {
      variables[variable] = member
      if try holds(predicate) { found.append(member) }
    }
    variables[variable] = outer
    return .array(found)
  }
}
