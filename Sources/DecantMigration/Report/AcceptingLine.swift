internal import DecantCatalogue
internal import DecantEngine
internal import FileNames

/// The line of `family.json5` by which a family accepts losses.
struct AcceptingLine {
  /// The text to paste: `acceptedLosses: ["Note.mood", "Gone"]`.
  let text: String
  /// Where to put the line.
  let advice: String

  /// - Parameters:
  ///   - losses: The losses to accept. Each name is written once.
  ///   - accepted: The losses that the family accepts already. The new line replaces the old line, so the new line
  ///     names these losses, too.
  init(_ losses: [AcceptedLosses.Name], besides accepted: AcceptedLosses) {
    var seen: Set<AcceptedLosses.Name> = []
    let all = (accepted.names + losses).filter { seen.insert($0).inserted }
    let shown = all.prefix(accepted.names.count + Self.maximumNames)
    text = "acceptedLosses: [\(shown.map { Self.quoted("\($0)") }.joined(separator: ", "))]"
    let what = all.count - accepted.names.count == 1 ? "the loss is" : "the losses are"
    let rest = all.count - shown.count
    advice =
      "If \(what) intended, put the line “acceptedLosses” of this message "
      + (accepted.names.isEmpty ? "into family.json5." : "in place of the one in family.json5.")
      + (rest > 0 ? " \(rest) more have to be named there." : "")
  }

  /// A name as a string of JSON5 and JSON.
  static func quoted(_ name: String) -> String {
    // Names are compared by bytes. Characters that a terminal or editor may normalise differently are escaped.
    QuarantineList.json(name).map { PrintedName.isComposed($0) ? String($0) : escaped($0) }.joined()
  }

  private static func escaped(_ character: Character) -> String {
    character.unicodeScalars.map { scalar in
      if scalar.isASCII { return String(scalar) }
      return String(scalar).utf16.map { unit in
        "\\u" + String(String(Int(unit) + 0x1_0000, radix: 16).dropFirst())
      }.joined()
    }.joined()
  }

  private static let maximumNames = 200
}
