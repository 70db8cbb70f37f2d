internal import DecantModel
internal import DecantReport
internal import Foundation

/// Numbers in readable form: English, the same on every machine.
package enum Quantity {
  /// The first names of a list, and the number of further ones.
  package static func list(_ names: [String], shown: Int = 6) -> String {
    let text = names.prefix(shown).joined(separator: ", ")
    return names.count > shown ? "\(text) and \(grouped(names.count - shown)) more" : text
  }

  /// `512 bytes`, `1.5 KiB`, `23.4 MiB`.
  package static func bytes(_ number: Int) -> String {
    number < 1024 ? counted(number, "byte") : ByteText.of(number)
  }

  /// A speed: `31,000 rows read/s`.
  package static func rowsRead(perSecond rate: Double) -> String {
    "\(grouped(Int(max(0, min(rate, 1e15))))) rows read/s"
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
