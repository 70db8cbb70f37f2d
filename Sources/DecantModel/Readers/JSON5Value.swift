public import Foundation

/// A JSON5 value without interpretation, so that unknown keys can be reported.
public enum JSON5Value: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON5Value])
  case object([String: JSON5Value])

  /// The largest text in bytes.
  public static let sizeLimit = 4 << 20
  /// The deepest nesting of lists and objects.
  public static let depthLimit = 64

  /// Reads a JSON5 text of unknown origin.
  ///
  /// - Throws: `JSON5Problem`. Text that isn't UTF-8 is refused, and so are NUL, `Infinity`, `NaN` and
  ///   duplicate keys.
  public static func parse(_ data: Data) throws(JSON5Problem) -> JSON5Value {
    guard data.count <= sizeLimit else {
      throw JSON5Problem("the text is longer than \(sizeLimit >> 20) MiB")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw JSON5Problem("the text isn't UTF-8")
    }
    var reader = JSON5Reader(text)
    return try reader.document()
  }

  /// The comments of a JSON5 text in order, without their delimiters; empty for an unreadable text.
  public static func comments(in data: Data) -> [String] {
    guard data.count <= sizeLimit, let text = String(validating: data, as: UTF8.self) else { return [] }
    var reader = JSON5Reader(text)
    guard (try? reader.document()) != nil else { return [] }
    return reader.comments
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var integer: Int? { if case .integer(let number) = self { number } else { nil } }
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  public var array: [JSON5Value]? { if case .array(let elements) = self { elements } else { nil } }
  public var object: [String: JSON5Value]? { if case .object(let entries) = self { entries } else { nil } }

  /// The elements of a list of strings; `nil` if the value isn't a list, or if an element isn't a string.
  public var strings: [String]? {
    guard let array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

  /// The value in words for a sentence.
  public var words: String {
    switch self {
    case .null: "null"
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .string(let value): "“\(value)”"
    case .array, .object: "a list or an object"
    }
  }
}

/// A fault of a JSON5 text, with its place.
public struct JSON5Problem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The fault, in plain words.
  public let reason: String
  /// The line, from 1; `nil` if the problem is about the whole text.
  public let line: Int?
  /// The column, from 1, in Unicode scalars; `nil` if the problem is about the whole text.
  public let column: Int?

  /// Makes a problem; without a place it is about the whole text.
  public init(_ reason: String, line: Int? = nil, column: Int? = nil) {
    self.reason = reason
    self.line = line
    self.column = column
  }

  public var description: String {
    guard let line, let column else { return reason }
    return "line \(line), column \(column): \(reason)"
  }
}
