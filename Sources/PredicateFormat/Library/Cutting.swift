internal import Foundation

/// `trim`, `prefix`, `suffix`, `substring`, `characterCount`, `normalise`: parts, length and normal form of a text.
///
/// Places and lengths count characters.
enum Cutting {
  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "trim", [.init("text", .text), .init("characters", .text, isOptional: true)], gives: .text
    ) { call throws(EvaluationError) in trim(call) },
    LibraryFunction("prefix", [.init("text", .text), .init("count", .whole(.min ... .max))], gives: .text) {
      call throws(EvaluationError) in
      let (text, count) = (call.text(0), call.whole(1))
      return .string(String(count < 0 ? text.dropLast(distance(count)) : text.prefix(count)))
    },
    LibraryFunction("suffix", [.init("text", .text), .init("count", .whole(.min ... .max))], gives: .text) {
      call throws(EvaluationError) in
      let (text, count) = (call.text(0), call.whole(1))
      return .string(String(count < 0 ? text.dropFirst(distance(count)) : text.suffix(count)))
    },
    LibraryFunction(
      "substring",
      [
        .init("text", .text), .init("start", .whole(.min ... .max)),
        .init("count", .whole(0 ... .max), isOptional: true),
      ], gives: .text
    ) { call throws(EvaluationError) in
      let (text, start) = (call.text(0), call.whole(1))
      let rest = start < 0 ? text.suffix(distance(start)) : text.dropFirst(start)
      return .string(String(call.has(2) ? rest.prefix(call.whole(2)) : rest))
    },
    LibraryFunction("characterCount", [.init("text", .text)], gives: .number) { call throws(EvaluationError) in
      .integer(Int64(call.text(0).count))
    },
    LibraryFunction("normalise", [.init("text", .text)], gives: .text) { call throws(EvaluationError) in
      .string(call.text(0).precomposedStringWithCanonicalMapping)
    },
  ]

  /// The absolute value of a negative number; that of `.min` doesn't fit, so it becomes `.max`.
  private static func distance(_ number: Int) -> Int { number == .min ? .max : -number }

  private static func trim(_ call: LibraryCall) -> Value {
    let characters = Set(call.text(1).map { Array($0.utf8) })
    func isCut(_ character: Character) -> Bool {
      call.has(1) ? characters.contains(Array(character.utf8)) : character.isWhitespace
    }
    var rest = call.text(0)[...]
    while let first = rest.first, isCut(first) { rest.removeFirst() }
    while let last = rest.last, isCut(last) { rest.removeLast() }
    return .string(String(rest))
  }
}
