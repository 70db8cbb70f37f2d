internal import Foundation

extension FormatPrinter {
  mutating func write(_ value: Value) {
    switch value {
    case .null: write("nil")
    case .boolean(let flag): write(flag ? "TRUE" : "FALSE")
    case .integer(let number): write("\(number)")
    case .double(let number): write(number.isFinite ? "\(number)" : "CAST(\"\(number)\", \"NSNumber\")")
    case .decimal(let number):
      let digits = DecimalText.text(number)
      write(Self.isPlain(number) ? digits : "CAST(\"\(digits)\", \"NSDecimalNumber\")")
    case .string(let text): write(Self.quoted(text))
    case .data(let data): write("CAST(\"\(data.base64EncodedString())\", \"NSData\")")
    case .date(let seconds): write("CAST(\(Self.seconds(seconds)), \"NSDate\")")
    case .uuid(let uuid): write("CAST(\"\(uuid.uuidString)\", \"NSUUID\")")
    case .url(let text): write("CAST(\(Self.quoted(text)), \"NSURL\")")
    case .array(let members):
      write("{")
      list(members)
      write("}")
    case .set(let members):
      write("CAST({")
      list(members)
      write("}, \"NSSet\")")
    case .dictionary(let entries):
      write("CAST({")
      list(entries.sorted { Bytes.precedes($0.key, $1.key) }.flatMap { [.string($0.key), $0.value] })
      write("}, \"NSDictionary\")")
    case .object(let object): write("«\(object.description)»")
    case .className(let name): write("CAST(\(Self.quoted(name)), \"Class\")")
    }
  }

  private mutating func list(_ members: [Value]) {
    for (place, member) in members.enumerated() {
      if place > 0 { write(", ") }
      write(member)
    }
  }

  /// Whether the digits without a cast are read as a decimal, because they are an integer beyond 64 bits.
  static func isPlain(_ number: Decimal) -> Bool {
    if number.isNaN { return false }
    let digits = DecimalText.text(number)
    let magnitude = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
    return magnitude.utf8.count <= 38 && !magnitude.utf8.contains(UInt8(ascii: "."))
      && Int64(magnitude) == nil && Int64(digits) == nil
  }

  /// Whole seconds below 10^15 have no fraction, as in the framework's text.
  private static func seconds(_ value: Double) -> String {
    if !value.isFinite { return "\"\(value)\"" }
    if value.sign == .plus || value != 0, let whole = Int64(exactly: value), abs(value) < 1e15 {
      return "\(whole)"
    }
    return "\(value)"
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\x" + (digits.count < 2 ? "0" : "") + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
