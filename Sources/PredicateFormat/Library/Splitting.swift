/// `split`, `join`, `word`, `firstWord`, `lastWord`: parts of a text, and a text of several parts.
enum Splitting {
  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "split", [.init("text", .text), .init("separator", .text), .init("index", .whole(.min ... .max))],
      gives: .text
    ) { call throws(EvaluationError) in split(call.text(0), call.text(1), call.whole(2)) },
    LibraryFunction(
      "join", [.init("separator", .text)], rest: .init("part", .texts, takesNil: true), gives: .text,
      join),
    LibraryFunction("word", [.init("text", .text), .init("index", .whole(.min ... .max))], gives: .text) {
      call throws(EvaluationError) in part(call.whole(1), of: words(call.text(0)))
    },
    LibraryFunction("firstWord", [.init("text", .text)], gives: .text) { call throws(EvaluationError) in
      part(0, of: words(call.text(0)))
    },
    LibraryFunction("lastWord", [.init("text", .text)], gives: .text) { call throws(EvaluationError) in
      let words = words(call.text(0))
      return words.count > 1 ? part(-1, of: words) : .null
    },
  ]

  private static func split(_ text: String, _ separator: String, _ index: Int) -> Value {
    let bytes = Array(text.utf8)
    let length = separator.utf8.count
    let cuts = ByteSearch.places(of: Array(separator.utf8), in: bytes)
    guard let place = place(index, of: cuts.count + 1) else { return .null }
    let start = place == 0 ? 0 : cuts[place - 1] + length
    let end = place == cuts.count ? bytes.count : cuts[place]
    return .string(String(decoding: bytes[start..<end], as: UTF8.self))
  }

  private static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

  private static func part(_ index: Int, of parts: [Substring]) -> Value {
    place(index, of: parts.count).map { .string(String(parts[$0])) } ?? .null
  }

  /// Negative indexes count from the end.
  private static func place(_ index: Int, of count: Int) -> Int? {
    let (place, overflow) = index < 0 ? index.addingReportingOverflow(count) : (index, false)
    return !overflow && (0..<count).contains(place) ? place : nil
  }

  /// Joins the texts of all arguments, without nil; the result is nil if there is no text.
  ///
  /// A set has no order, so its texts are joined in the order of their bytes.
  private static func join(_ call: LibraryCall) throws(EvaluationError) -> Value {
    var texts: [String] = []
    for argument in call.arguments.dropFirst() {
      var members = (argument.members ?? [argument]).compactMap { member in
        if case .string(let text) = member { text } else { nil }
      }
      if case .set = argument { members.sort(by: Bytes.precedes) }
      texts += members
    }
    guard !texts.isEmpty else { return .null }
    let separator = call.text(0)
    var bytes = 0
    for text in texts {
      bytes += text.utf8.count + separator.utf8.count
      guard bytes <= LibraryCall.maximumBytes else { throw LibraryCall.tooLong("join") }
    }
    return .string(texts.joined(separator: separator))
  }
}
