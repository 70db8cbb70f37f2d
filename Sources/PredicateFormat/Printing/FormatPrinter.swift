/// Writes predicates and expressions as text that parses to the same value, if they have no objects.
///
/// The text is the same as the framework's description, as far as that is known (docs/formats/predicate-format.md 3.4).
struct FormatPrinter {
  private(set) var text = ""

  /// The binding level of an expression's text.
  ///
  /// Text of the required level or a higher one needs no parentheses.
  enum Level: Int, Comparable {
    case assignment, sets, sum, product, power, sign, primary

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  mutating func write(_ part: String) { text += part }

  mutating func write(_ predicate: Predicate) {
    switch predicate {
    case .always: write("TRUEPREDICATE")
    case .never: write("FALSEPREDICATE")
    case .not(let inner):
      write("NOT ")
      part(inner)
    case .and(let parts): joined(parts, " AND ", none: "TRUEPREDICATE")
    case .or(let parts): joined(parts, " OR ", none: "FALSEPREDICATE")
    case .comparison(let comparison): write(comparison)
    }
  }

  private mutating func joined(_ parts: [Predicate], _ word: String, none: String) {
    if parts.isEmpty { write(none) }
    for (place, inner) in parts.enumerated() {
      if place > 0 { write(word) }
      part(inner)
    }
  }

  private mutating func part(_ predicate: Predicate) {
    switch predicate {
    case .and, .or:
      write("(")
      write(predicate)
      write(")")
    default: write(predicate)
    }
  }

  private mutating func write(_ comparison: Comparison) {
    switch comparison.modifier {
    case .direct: break
    case .all: write("ALL ")
    case .any: write("ANY ")
    }
    write(comparison.left, above: .sets)
    let options = comparison.options.text
    write(" \(comparison.operation.rawValue)\(options.isEmpty ? "" : "[\(options)]") ")
    write(comparison.right, above: .sets)
  }

  mutating func write(_ expression: Expression, above level: Level) {
    let isLoose = expression.level < level
    if isLoose { write("(") }
    write(expression)
    if isLoose { write(")") }
  }
}

extension Predicate: CustomStringConvertible {
  /// The predicate as text, which parses to the same predicate; objects, which have no text, are written as `«…»`.
  public var description: String {
    var printer = FormatPrinter()
    printer.write(self)
    return printer.text
  }
}

extension Expression: CustomStringConvertible {
  /// The expression as text, which parses to the same expression; objects, which have no text, are written as `«…»`.
  public var description: String {
    var printer = FormatPrinter()
    printer.write(self)
    return printer.text
  }
}

extension Comparison: CustomStringConvertible {
  public var description: String { Predicate.comparison(self).description }
}
