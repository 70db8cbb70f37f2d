/// The names of the language's functions (docs/formats/predicate-format.md 3.4).
package enum FunctionName {
  static let all: [String] = [
    "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:", "add:to:", "from:subtract:",
    "multiply:by:", "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:", "raise:toPower:", "exp:", "floor:",
    "ceiling:", "abs:", "trunc:", "random:", "random", "now", "bitwiseAnd:with:", "bitwiseOr:with:",
    "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:", "uppercase:", "lowercase:",
    "noindex:",
    "distanceToLocation:fromLocation:", "castObject:toType:",
  ]
  private static let known = Set(all)

  package static var bareNames: [String] { all.map { String($0.prefix { $0 != ":" }) } }

  package static func isKnown(_ name: String) -> Bool { known.contains(name) }

  /// The number of arguments of a name with colons.
  static func arguments(of name: String) -> Int { name.utf8.count { $0 == UInt8(ascii: ":") } }

  /// The full name: `sum` with one argument is `sum:`, `now:` without arguments is `now`, and `trim:` is the
  /// library's `trim`.
  static func full(_ name: String, arguments: Int) -> String {
    let bare = name.hasSuffix(":") ? String(name.dropLast()) : name
    let candidate = arguments == 0 ? bare : bare + ":"
    if known.contains(candidate) { return candidate }
    return Library.function(name)?.name ?? name
  }

  /// The binary operators and their functions.
  static let signs: [(sign: String, name: String)] = [
    ("+", "add:to:"), ("-", "from:subtract:"), ("*", "multiply:by:"), ("/", "divide:by:"),
    ("**", "raise:toPower:"),
  ]
}

extension FunctionName {
  /// The function of this name, if it takes another number of arguments.
  static func misused(_ name: String, arguments: Int) -> String? {
    func bare(_ name: String) -> Substring { name.prefix { $0 != ":" } }
    let meant = known.contains(name) ? name : all.first { bare($0) == bare(name) }
    return meant.flatMap { self.arguments(of: $0) == arguments ? nil : $0 }
  }
}

extension FunctionName {
  /// Whether a name can be written as a call.
  ///
  /// The name has a word and a colon for each argument, or is one word without arguments. The first word must not be a
  /// reserved word, `FUNCTION`, `TERNARY` or `UTI`.
  static func isWritable(_ name: String, arguments: Int) -> Bool {
    let words = name.split(separator: ":", omittingEmptySubsequences: false)
    let parts = words.count == 1 ? words : words.dropLast()
    guard words.count == 1 || words.last?.isEmpty == true, self.arguments(of: name) == arguments else {
      return false
    }
    guard let first = parts.first, !ReservedWords.all.contains(first.uppercased()) else { return false }
    return parts.allSatisfy { ReservedWords.isIdentifier(String($0)) }
      && !["FUNCTION", "TERNARY", "UTI"].contains(first.uppercased())
  }
}
