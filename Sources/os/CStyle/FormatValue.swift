internal import Foundation

/// The argument of a directive.
struct FormatValue {
  private enum Content {
    case number(WholeNumber)
    case real(Double)
    case text(String)
  }

  private let content: Content
  private let conversion: Character
  private let options: [Substring]

  init(_ argument: Any?, _ directive: FormatDirective) {
    conversion = directive.conversion
    options = directive.options
    content = Self.content(argument, directive.conversion)
  }

  /// Whether the value is shown if the format doesn't say: true for a number, unless the conversion is `%@`.
  var isPublic: Bool {
    if case .text = content { return false }
    return conversion != "@"
  }

  /// The argument as a whole number, which is the width or the precision of another argument.
  static func number(_ argument: Any?) -> Int32? {
    (argument as? any BinaryInteger).map { Int32(clamping: $0) }
  }

  func text(_ layout: FormatLayout) -> String {
    switch content {
    case .text(let text): layout.text(text)
    case .real(let number): layout.real(number, conversion)
    case .number(let number): word(for: number).map(layout.text) ?? layout.whole(number, conversion)
    }
  }

  private static func content(_ argument: Any?, _ conversion: Character) -> Content {
    switch argument {
    case nil: return .text("(null)")
    case let pointer as UnsafePointer<CChar> where conversion == "s": return .text(String(cString: pointer))
    case let pointer as any _Pointer: return .number(WholeNumber(UInt(bitPattern: Int(bitPattern: pointer))))
    case let truth as Bool: return .number(WholeNumber(truth ? 1 : 0))
    case let number as any BinaryInteger: return .number(WholeNumber(number))
    case let number as any BinaryFloatingPoint: return .real(Double(number))
    case let number as NSNumber where conversion != "@":
      return "fFeEgGaA".contains(conversion)
        ? .real(number.doubleValue) : .number(WholeNumber(number.int64Value))
    case let value?: return .text("\(value)")
    }
  }

  private func word(for number: WholeNumber) -> String? {
    if options.contains("bool") { return OSLogBoolFormat.truth.text(of: number.signed != 0) }
    if options.contains("BOOL") { return OSLogBoolFormat.answer.text(of: number.signed != 0) }
    if options.contains("darwin.errno") || options.contains("errno") {
      return OSLogInt32ExtendedFormat.darwinErrno.text(of: Int32(clamping: number.signed))
    }
    return nil
  }
}

private struct WholeNumber {
  let signed: Int64
  /// The number's bits, without a sign.
  let bits: UInt64
  let description: String

  init(_ number: some BinaryInteger) {
    signed = Int64(clamping: number)
    let all = UInt64(truncatingIfNeeded: number)
    bits = number.bitWidth < 64 ? all & ((1 << UInt64(number.bitWidth)) - 1) : all
    description = "\(number)"
  }
}

extension FormatLayout {
  fileprivate func real(_ number: Double, _ conversion: Character) -> String {
    "fFeEgGaA".contains(conversion)
      ? String(format: directive(String(conversion)), number) : text("\(number)")
  }

  fileprivate func whole(_ number: WholeNumber, _ conversion: Character) -> String {
    switch conversion {
    case "d", "D", "i": String(format: directive("lld"), number.signed)
    case "u", "U": String(format: directive("llu"), number.bits)
    case "x", "X": String(format: directive("ll\(conversion)"), number.bits)
    case "o", "O": String(format: directive("llo"), number.bits)
    case "p": text("0x" + String(number.bits, radix: 16))
    case "c", "C": text(Unicode.Scalar(UInt32(clamping: number.signed)).map { String($0) } ?? "")
    case "f", "F", "e", "E", "g", "G", "a", "A":
      String(format: directive(String(conversion)), Double(number.signed))
    default: text(number.description)
    }
  }
}
