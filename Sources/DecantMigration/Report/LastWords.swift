/// What a process said on standard error before its end, so short that somebody reads it.
package enum LastWords {
  /// The bytes of its output that are worth keeping: a backtrace has to leave the words before it in.
  package static let tailBytes = 32 << 10
  /// Characters of a line.
  private static let lineLength = 240

  /// Frames of a backtrace that are worth a line each.
  private static let frameLimit = 3

  /// The last lines; of a backtrace's frames the first ones of the program itself, those above them being the runtime's
  /// way of ending it.
  ///
  /// - Parameters:
  ///   - bytes: The end of the output, which may begin within a line.
  ///   - limit: How many lines are given, the one for what was left out not counted.
  package static func lines(of bytes: some Sequence<UInt8>, atMost limit: Int = 8) -> [String] {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    var lines: [String] = []
    var frames: [String] = []
    func endFrames() {
      let own = frames.filter { !isOfLibrary($0) }
      let shown = (own.isEmpty ? frames : own).prefix(frameLimit)
      lines += shown.map(shortened)
      let left = frames.count - shown.count
      if left > 0 { lines.append("(\(left) further \(left == 1 ? "frame" : "frames"))") }
      frames = []
    }
    for line in text.split(whereSeparator: \.isNewline).map(plain) where !line.isEmpty {
      if isFrame(line) {
        frames.append(line)
      } else {
        endFrames()
        lines.append(shortened(line))
      }
    }
    endFrames()
    return lines.count > limit ? ["…"] + lines.suffix(limit) : lines
  }

  /// Without control characters and the blanks around.
  private static func plain(_ line: Substring) -> String {
    let scalars = line.unicodeScalars.map { $0 == "\t" ? " " : $0 }
      .filter { $0.properties.generalCategory != .control }
    let trimmed = scalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return String(String.UnicodeScalarView(trimmed))
  }

  /// A frame as Swift's runtime and gdb have it: a number, then an address.
  private static func isFrame(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let number = words.first else { return false }
    let digits = number.hasPrefix("#") ? number.dropFirst() : number
    return !digits.isEmpty && digits.allSatisfy(\.isNumber) && words[1].contains("0x")
  }

  /// Whether a frame is of a shared library; its name stands before the address, or at the end behind “in”.
  private static func isOfLibrary(_ frame: String) -> Bool {
    let words = frame.split(separator: " ")
    guard let address = words.firstIndex(where: { $0.hasPrefix("0x") }) else { return false }
    return words[..<address].contains(where: isLibrary)
      || zip(words[address...], words[address...].dropFirst()).contains { $0 == "in" && isLibrary($1) }
  }

  private static func isLibrary(_ word: Substring) -> Bool { word.hasSuffix(".so") || word.contains(".so.") }

  private static func shortened(_ line: String) -> String {
    line.count > lineLength ? line.prefix(lineLength) + "…" : line
  }
}
