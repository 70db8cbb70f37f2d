extension FormatPrinter {
  mutating func write(_ expression: Expression) {
    switch expression {
    case .constant(let value): write(value)
    case .selfObject: write("SELF")
    case .variable(let name): write("$\(name)")
    case .keyPath(let path): write(path)
    case .function(let name, let arguments): function(name, arguments)
    case .message(let target, let selector, let arguments):
      write("FUNCTION(")
      write(target)
      write(", \(Self.quoted(selector))")
      for argument in arguments {
        write(", ")
        write(argument)
      }
      write(")")
    case .cast(let value, let type):
      write("CAST(")
      write(value)
      write(", \(Self.quoted(type)))")
    case .ternary(let condition, let positive, let negative):
      write("TERNARY(")
      write(condition)
      write(", ")
      list([positive, negative])
      write(")")
    case .subquery(let collection, let variable, let predicate):
      write("SUBQUERY(")
      write(collection)
      write(", $\(variable), ")
      write(predicate)
      write(")")
    case .fetch(let request, let context, let countOnly):
      write("FETCH(")
      list([request, context])
      write(", \(countOnly ? "YES" : "NO"))")
    case .aggregate(let members):
      write("{")
      list(members)
      write("}")
    case .set(let operation, let left, let right):
      write(left, above: .sets)
      write(" \(operation.rawValue) ")
      write(right, above: .sum)
    case .assignment(let name, let value):
      write("$\(name) := ")
      write(value)
    case .anyKey: write("ANYKEY")
    }
  }

  private mutating func list(_ members: [Expression]) {
    for (place, member) in members.enumerated() {
      if place > 0 { write(", ") }
      write(member)
    }
  }

  private mutating func function(_ name: String, _ arguments: [Expression]) {
    guard arguments.count == 2, let sign = FunctionName.signs.first(where: { $0.name == name })?.sign else {
      write("\(name)(")
      list(arguments)
      write(")")
      return
    }
    let level = Expression.function(name, arguments).level
    // Powers group from the right, and all other operators from the left. So an operand with the operator's own level
    // gets parentheses on the left side of a power, and on the right side of any other operator.
    let (left, right): (Level, Level) =
      switch level {
      case .sum: (.sum, .product)
      case .product: (.product, .power)
      default: (.sign, .power)
      }
    write(arguments[0], above: left)
    write(" \(sign) ")
    write(arguments[1], above: right)
  }

  private mutating func write(_ path: KeyPath) {
    // A key that isn't an identifier is written as a message to the path before the key.
    if let odd = path.steps.lastIndex(where: \.isOdd), case .key(let key) = path.steps[odd] {
      let rest = path.steps[(odd + 1)...]
      let target = Expression.path(from: path.operand, Array(path.steps[..<odd]))
      write(.message(target, selector: "valueForKey:", [.constant(.string(key))]))
      write(rest)
      return
    }
    let isBare: Bool
    switch (path.operand, path.steps.first) {
    case (.selfObject, .key), (.selfObject, .collection): isBare = true
    default: isBare = false
    }
    if !isBare {
      if case .keyPath = path.operand {
        write("(")
        write(path.operand)
        write(")")
      } else {
        write(path.operand, above: .primary)
      }
    }
    write(path.steps[...], isFirst: isBare)
  }

  private mutating func write(_ steps: ArraySlice<KeyPath.Step>, isFirst: Bool = false) {
    for (place, step) in steps.enumerated() {
      let point = isFirst && place == 0 ? "" : "."
      switch step {
      case .key(let key): write(point + (ReservedWords.needsMark(key) ? "#" : "") + key)
      case .collection(let name): write("\(point)@\(name.rawValue)")
      case .first: write("[FIRST]")
      case .last: write("[LAST]")
      case .size: write("[SIZE]")
      case .index(let index):
        write("[")
        write(index)
        write("]")
      }
    }
  }
}

extension KeyPath.Step {
  /// Whether this is a key that isn't an identifier.
  fileprivate var isOdd: Bool {
    if case .key(let key) = self { !ReservedWords.isIdentifier(key) } else { false }
  }
}

extension Expression {
  var level: FormatPrinter.Level {
    switch self {
    case .assignment: return .assignment
    case .set: return .sets
    case .function("add:to:", let arguments) where arguments.count == 2: return .sum
    case .function("from:subtract:", let arguments) where arguments.count == 2: return .sum
    case .function("multiply:by:", let arguments) where arguments.count == 2: return .product
    case .function("divide:by:", let arguments) where arguments.count == 2: return .product
    case .function("raise:toPower:", let arguments) where arguments.count == 2: return .power
    case .constant(let value): return value.isPlainNumber ? .sign : .primary
    default: return .primary
    }
  }
}

extension Value {
  /// Whether the text is a number without a cast, so that a point or a sign beside it would change its meaning.
  fileprivate var isPlainNumber: Bool {
    switch self {
    case .integer: true
    case .double(let number): number.isFinite
    case .decimal(let number): FormatPrinter.isPlain(number)
    default: false
    }
  }
}
