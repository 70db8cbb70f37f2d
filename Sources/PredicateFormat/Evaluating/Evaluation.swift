/// One evaluation: its variables, the state of `random()`, and the cost until now.
struct Evaluation {
  let context: EvaluationContext
  var variables: [String: Value]
  private var random: UInt64
  private var stepsLeft: Int

  init(_ context: EvaluationContext) {
    self.context = context
    variables = context.variables
    random = context.seed
    stepsLeft = context.maximumSteps
  }

  mutating func spend(_ steps: Int = 1) throws(EvaluationError) {
    guard steps <= stepsLeft else {
      throw EvaluationError(.tooCostly("evaluating takes more than \(context.maximumSteps) steps"))
    }
    stepsLeft -= steps
  }

  /// The next random number (SplitMix64).
  mutating func nextRandom() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func value(_ expression: Expression) throws(EvaluationError) -> Value {
    do throws(EvaluationError) {
      try spend()
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

  /// The members for which the predicate is true; nil for a nil collection.
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
