internal import Foundation
internal import KeyedArchive

/// The text of a constant in an archived expression.
enum ArchivedConstant {
  static func text(of expression: ArchiveNode) throws(ArchiveError) -> String {
    if let name = try expression.string("NSConstantValueClassName") { return name }
    guard let constant = try expression.member("NSConstantValue") else { return "nil" }
    if let text = constant.string { return quoted(text) }
    if let seconds = constant.date { return "CAST(\(number(seconds)), \"NSDate\")" }
    if let decimal = constant.decimal { return "\(decimal)" }
    switch constant.plain {
    case .boolean(let flag): return flag ? "1" : "0"
    case .integer(let integer): return "\(integer)"
    case .unsigned(let integer): return "\(integer)"
    case .real(let real): return number(real)
    case .single(let real): return number(Double(real))
    default: throw .unknownClass(constant.className ?? constant.kind, expected: "a constant that has a text")
    }
  }

  /// A whole number without its fraction, as the framework describes it.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
