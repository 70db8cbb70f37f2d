extension Expression {
  /// A key of `SELF`.
  public static func key(_ name: String) -> Expression { .keyPath(KeyPath(steps: [.key(name)])) }

  /// The constant of a value; for a list, an aggregate of its members.
  public static func literal(_ value: Value) -> Expression {
    if case .array(let members) = value { return .aggregate(members.map(literal)) }
    return .constant(value)
  }

  /// A path from an operand.
  ///
  /// A path from a path becomes one path, unless the first path has a collection operator (`KeyPath.gathers`): `@max`
  /// takes all following steps, so `(a.@max.b).c` and `a.@max.b.c` are different.
  public static func path(from operand: Expression, _ steps: [KeyPath.Step]) -> Expression {
    guard !steps.isEmpty else { return operand }
    if case .keyPath(let path) = operand, !path.gathers {
      return .keyPath(KeyPath(operand: path.operand, steps: path.steps + steps))
    }
    return .keyPath(KeyPath(operand: operand, steps: steps))
  }

  /// A function by its name, with or without the colons.
  ///
  /// `count:` of a path becomes the path with `@count` at its end, unless an operator of the path gives one value
  /// (`@max`). `castObject:toType:` with a constant text as type becomes a cast.
  public static func call(_ name: String, _ arguments: [Expression]) -> Expression {
    let name = FunctionName.full(name, arguments: arguments.count)
    switch (name, arguments.count) {
    case ("count:", 1):
      guard case .keyPath(let path) = arguments[0], !path.givesOne else { return .function(name, arguments) }
      return .keyPath(KeyPath(operand: path.operand, steps: path.steps + [.collection(.count)]))
    case ("castObject:toType:", 2):
      guard case .constant(.string(let type)) = arguments[1] else { return .function(name, arguments) }
      return .casting(arguments[0], type: type)
    default: return .function(name, arguments)
    }
  }

  /// A cast; it becomes a constant if the constant's text is this cast (`ConstantCast`).
  public static func casting(_ value: Expression, type: String) -> Expression {
    ConstantCast.folded(value, type: type).map(Expression.constant) ?? .cast(value, type: type)
  }

  /// A message; `valueForKey:` and `valueForKeyPath:` become paths if the argument is a constant key or key path.
  public static func sending(_ selector: String, to target: Expression, _ arguments: [Expression]) -> Expression
  {
    if arguments.count == 1, case .constant(.string(let text)) = arguments[0] {
      if selector == "valueForKey:", !text.hasPrefix("@") { return .path(from: target, [.key(text)]) }
      if selector == "valueForKeyPath:", let steps = KeyPathText.steps(of: text) {
        return .path(from: target, steps)
      }
    }
    return .message(target, selector: selector, arguments)
  }
}
