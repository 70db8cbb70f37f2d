internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// Constants as SQL text, exact to the last bit.
enum SQLText {
  static func constant(_ value: Value) -> SQLValue? {
    switch value {
    case .null: .null
    case .boolean(let flag): SQLValue(flag ? "1" : "0", .boolean)
    case .integer(let number): SQLValue(integer(number), .integer, chain: .integer(number))
    case .double(let number): number.isNaN ? .null : SQLValue(real(number), .double)
    case .string(let text): SQLValue(string(text), .string)
    case .url(let text): SQLValue(string(text), .url)
    case .date(let seconds): seconds.isNaN ? nil : SQLValue(real(seconds), .date)
    case .uuid(let uuid): SQLValue(blob(withUnsafeBytes(of: uuid.uuid) { Array($0) }), .uuid)
    case .data(let data): SQLValue(blob([UInt8](data)), .data)
    default: nil
    }
  }

  /// The key of an object whose root entity is in the model; `nil` for any other value.
  static func object(_ value: Value, in layout: StoreLayout) -> SQLValue? {
    guard case .object(let reference) = value, case .row(let root, let key) = reference.object.identity,
      layout.model.root(of: root)?.name == root
    else { return nil }
    return SQLValue(integer(key), .object(root))
  }

  static func integer(_ number: Int64) -> String {
    number == .min ? "(-9223372036854775807 - 1)" : number < 0 ? "(\(number))" : "\(number)"
  }

  /// Whole numbers below 10¹⁵, except -0, are written as digits, and all other numbers as their bits.
  ///
  /// SQLite's parsing of digits may differ in the last bit.
  static func real(_ number: Double) -> String {
    if number.magnitude < 1e15, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
      return whole < 0 ? "(\(whole).0)" : "\(whole).0"
    }
    return "\(ExpressionFunctions.real)(\(integer(Int64(bitPattern: number.bitPattern))))"
  }

  static func string(_ text: String) -> String {
    // A zero character would end the literal early.
    guard text.utf8.contains(0) else { return "'" + text.replacing("'", with: "''") + "'" }
    return "CAST(\(blob(Array(text.utf8))) AS TEXT)"
  }

  static func blob(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 0x0f, radix: 16) }.joined() + "'"
  }
}
