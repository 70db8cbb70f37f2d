extension Evaluation {
  mutating func call(_ name: String, _ arguments: [Value]) throws(EvaluationError) -> Value {
    if let value = try Functions.value(name, arguments, &state) { return value }
    if context.functions.hasLibrary, let function = Library.function(name) {
      try state.spend(arguments.count)
      return try function.value(arguments, context)
    }
    guard let function = context.functions.function(name) else { throw EvaluationError(.unknownFunction(name)) }
    do {
      return try function(arguments)
    } catch {
      throw EvaluationError(.failed(error))
    }
  }

  /// Sends a message; `valueForKey:` and `valueForKeyPath:` are the same as key paths.
  mutating func send(_ selector: String, to target: Value, _ arguments: [Value]) throws(EvaluationError)
    -> Value
  {
    if selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1,
      case .string(let text) = arguments[0]
    {
      let steps = selector == "valueForKey:" ? [KeyPath.Step.key(text)] : KeyPathText.steps(of: text)
      guard let steps else { throw EvaluationError(.unknownKey(text, of: target.owner)) }
      return try walk(target, steps[...])
    }
    let answer: Value?
    do {
      answer = try context.functions.message(target, selector, arguments)
    } catch {
      throw EvaluationError(.failed(error))
    }
    guard let answer else { throw EvaluationError(.unknownSelector(selector, target: target.owner)) }
    return answer
  }

  func fetch(_ request: Value, _ owner: Value, _ countOnly: Bool) throws(EvaluationError) -> Value {
    let answer: Value?
    do {
      answer = try context.functions.fetch(request, owner, countOnly)
    } catch {
      throw EvaluationError(.failed(error))
    }
    guard let answer else { throw EvaluationError(.unsupported("FETCH")) }
    return answer
  }
}

extension Value {
  var owner: String {
    switch self {
    case .object(let object): "the object “\(object)”"
    case .className(let name): "the class “\(name)”"
    default: kind
    }
  }
}
