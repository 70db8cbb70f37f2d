internal import Foundation

/// The columns and digits that a directive asks for.
struct FormatLayout {
  let flags: String
  let width: Int
  let precision: Int?

  /// A directive for `String(format:)`, whose argument has the type that the conversion means.
  func directive(_ conversion: String) -> String {
    let isLeft = width < 0 && !flags.contains("-")
    let columns = width == 0 ? "" : "\(width.magnitude)"
    return "%\(flags)\(isLeft ? "-" : "")\(columns)\(precision.map { ".\(max(0, $0))" } ?? "")\(conversion)"
  }

  func text(_ text: String) -> String {
    let shown = precision.map { $0 >= 0 ? String(text.prefix($0)) : text } ?? text
    let missing = Int(width.magnitude) - shown.count
    guard missing > 0 else { return shown }
    let spaces = String(repeating: " ", count: missing)
    return flags.contains("-") || width < 0 ? shown + spaces : spaces + shown
  }
}
