internal import Foundation
internal import PredicateFormat

/// Writes one line of JSON without white space, as UTF-8.
final class ProgramLine {
  private var bytes: [UInt8] = []
  /// Whether a comma is needed before the next key or element.
  private var isDue = false

  /// The line with its newline.
  var finished: [UInt8] { bytes + [0x0a] }

  private func write(_ text: String) { bytes += text.utf8 }

  private func begin() {
    if isDue { bytes.append(UInt8(ascii: ",")) }
    isDue = true
  }

  func key(_ name: String) -> ProgramLine {
    begin()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    isDue = false
    return self
  }

  func object(_ members: (ProgramLine) -> Void) { nest("{", "}") { members(self) } }

  func array<Item>(_ items: [Item], _ each: (ProgramLine, Item) -> Void) {
    nest("[", "]") { for item in items { each(self, item) } }
  }

  private func nest(_ opening: String, _ closing: String, _ content: () -> Void) {
    begin()
    write(opening)
    isDue = false
    content()
    write(closing)
    isDue = true
  }

  private func plain(_ text: String) {
    begin()
    write(text)
  }

  func null() { plain("null") }
  func boolean(_ flag: Bool) { plain(flag ? "true" : "false") }
  func integer(_ number: Int64) { plain("\(number)") }

  func string(_ text: String) {
    begin()
    quote(text)
  }

  /// The shortest digits that give the same number; infinite numbers and NaN are texts: `inf`, `-inf`, `nan`.
  func double(_ number: Double) { number.isFinite ? plain("\(number)") : string("\(number)") }

  /// An attribute's value; a value that no attribute can have, such as a list, becomes null.
  func value(_ value: Value) {
    switch value {
    case .boolean(let flag): boolean(flag)
    case .integer(let number): integer(number)
    case .double(let number), .date(let number): double(number)
    case .decimal(let number): string(DecimalText.text(number))
    case .string(let text), .url(let text): string(text)
    case .data(let data): string(data.base64EncodedString())
    case .uuid(let uuid): string(uuid.uuidString)
    case .null, .array, .set, .dictionary, .object, .className: null()
    }
  }

  private func quote(_ text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5c: bytes += [0x5c, byte]
      case 0x0a: bytes += [0x5c, UInt8(ascii: "n")]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        write("\\u00" + (digits.utf8.count < 2 ? "0" : "") + digits)
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }
}
