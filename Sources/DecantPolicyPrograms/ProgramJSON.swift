/// A JSON value from a program; numbers are kept as text, so that no digit is lost.
enum ProgramJSON: Sendable, Equatable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([ProgramJSON])
  case object([String: ProgramJSON])

  struct Problem: Error, Sendable, Hashable {
    let words: String
    /// The byte of the fault, from 0.
    let place: Int
  }

  /// The largest depth of nested lists and objects.
  static let maximumDepth = 16

  init(_ line: [UInt8]) throws(Problem) {
    if String(validating: line, as: UTF8.self) == nil, let place = ProgramQuote.firstInvalid(line) {
      throw Problem(words: "it isn't UTF-8 at byte \(place + 1)", place: place)
    }
    var reader = ProgramJSONReader(bytes: line)
    self = try reader.document()
  }

  var kind: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let text): "the number \(text.prefix(40))"
    case .string(let text): "the text “\(text.count > 40 ? text.prefix(40) + "…" : text)”"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
