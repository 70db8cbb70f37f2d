internal import DecantReport
internal import Foundation

/// Numbers in readable form: English, the same on every machine.
package enum Quantity {
  /// `1,234,567`.
  package static func count(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// `1 row`, `2 rows`.
  package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// The first names of a list, and how many more there are.
  package static func list(_ names: [String], shown: Int = 6) -> String {
    let text = names.prefix(shown).joined(separator: ", ")
    return names.count > shown ? "\(text) and \(count(names.count - shown)) more" : text
  }

  /// `512 bytes`, `1.5 KiB`, `23.4 MiB`.
  package static func bytes(_ number: Int) -> String {
    number < 1024 ? count(number, "byte") : ByteText.of(number)
  }

  /// A speed: `31,000 rows read/s`.
  package static func rowsRead(perSecond rate: Double) -> String {
    "\(count(Int(max(0, min(rate, 1e15))))) rows read/s"
  }

  /// An estimate: `less than 0.1 s`, `about 0.4 s`.
  package static func estimate(_ seconds: Double) -> String {
    let words = DurationText.of(seconds)
    return words.hasPrefix("less") ? words : "about \(words)"
  }

  /// An order of names that puts `Z_9A` before `Z_10A`.
  package static func inNumericOrder(_ left: String, _ right: String) -> Bool {
    left.compare(right, options: .numeric) == .orderedAscending
  }
}
