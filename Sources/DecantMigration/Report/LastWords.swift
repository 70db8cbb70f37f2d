/// What a process said on standard error before its end, so short that somebody reads it.
package enum LastWords {
  /// The bytes of its output that are worth keeping: a backtrace has to leave the words before it in.
  package static let tailBytes = 32 << 10
  /// Characters of a line.
  private static let lineLength = 240

  /// The last lines; of a backtrace's frames the first two.
  ///
  /// - Parameters:
  ///   - bytes: The end of the output, which may begin within a line.
  ///   - limit: How many lines are given, the one for what was left out not counted.
  package static func lines(of bytes: some Sequence<UInt8>, atMost limit: Int = 8) -> [String] {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    var lines: [String] = []
    var frames = 0
    func endFrames() {
      if frames > 2 { lines.append("(\(frames - 2) further \(frames == 3 ? "frame" : "frames"))") }
      frames = 0
    }
    for line in text.split(whereSeparator: \.isNewline).map(plain) where !line.isEmpty {
      if isFrame(line) {
        frames += 1
        if frames <= 2 { lines.append(shortened(line)) }
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

  private static func shortened(_ line: String) -> String {
    line.count > lineLength ? line.prefix(lineLength) + "…" : line
  }
}
