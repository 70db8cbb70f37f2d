internal import Foundation

/// A part of a chain, with the indexes of its operands.
enum NativeNode: Codable {
  case column(Int, NativeChain.ColumnKind, String, String)
  case argument(Int)
  case integer(Int64)
  case split(Int, String, Int64)
  case firstWord(Int)
  case lastWord(Int)
  case nilIfEmpty(Int)
  case characterCount(Int)
  case substring(Int, Int, Int?)
  case rounded(Int, NativeChain.Rounding)
  case real(Int)
  case digits(Int)
  case arithmetic(Int, NativeChain.Sign, Int)
  case stamp(Int, String)

  /// The parts as a text for the SQL function; equal parts give equal texts.
  static func text(of nodes: [NativeNode]) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(nodes)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func nodes(in text: String) -> [NativeNode]? {
    try? JSONDecoder().decode([NativeNode].self, from: Data(text.utf8))
  }

  /// Whether the part's arguments exist, its operands come before the part, and its date pattern is supported.
  func isSound(at end: Int, arguments: Int) -> Bool {
    let places: [Int]
    switch self {
    case .column(let argument, _, _, _), .argument(let argument): return (0..<arguments).contains(argument)
    case .integer: return true
    case .stamp(let place, let pattern): return (0..<end).contains(place) && DateStamp(pattern) != nil
    case .split(let place, _, _), .firstWord(let place), .lastWord(let place), .nilIfEmpty(let place),
      .characterCount(let place), .rounded(let place, _), .real(let place), .digits(let place):
      places = [place]
    case .substring(let text, let start, let count): places = [text, start, count ?? text]
    case .arithmetic(let left, _, let right): places = [left, right]
    }
    return places.allSatisfy { (0..<end).contains($0) }
  }

  var step: NativeProgram.Step {
    switch self {
    case .column(let argument, .string, _, _): .init(code: .stringColumn, a: argument)
    case .column(let argument, .integer, _, _): .init(code: .integerColumn, a: argument)
    case .column(let argument, .double, _, _): .init(code: .doubleColumn, a: argument)
    case .argument(let argument): .init(code: .argument, a: argument)
    case .integer(let number): .init(code: .integer, a: 0, number: number)
    case .split(let text, let separator, let index):
      .init(code: .split, a: text, number: index, separator: Self.bytes(separator))
    case .firstWord(let text): .init(code: .firstWord, a: text)
    case .lastWord(let text): .init(code: .lastWord, a: text)
    case .nilIfEmpty(let text): .init(code: .nilIfEmpty, a: text)
    case .characterCount(let text): .init(code: .characterCount, a: text)
    case .substring(let text, let start, nil): .init(code: .rest, a: text, b: start)
    case .substring(let text, let start, let count?): .init(code: .substring, a: text, b: start, c: count)
    case .rounded(let number, .down): .init(code: .floor, a: number)
    case .rounded(let number, .up): .init(code: .ceiling, a: number)
    case .rounded(let number, .towardZero): .init(code: .truncate, a: number)
    case .real(let number): .init(code: .real, a: number)
    case .digits(let number): .init(code: .digits, a: number)
    case .arithmetic(let left, .plus, let right): .init(code: .plus, a: left, b: right)
    case .arithmetic(let left, .minus, let right): .init(code: .minus, a: left, b: right)
    case .arithmetic(let left, .times, let right): .init(code: .times, a: left, b: right)
    case .stamp(let date, _): .init(code: .stamp, a: date)
    }
  }

  private static func bytes(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    return bytes
  }
}
