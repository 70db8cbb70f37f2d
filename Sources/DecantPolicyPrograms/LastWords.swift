/// The end of a process's standard error, shortened for the report.
package enum LastWords {
  /// The bytes of output to keep: enough for a backtrace and the message before it.
  package static let tailBytes = 32 << 10
  private static let lineLength = 240

  private static let frameLimit = 3

  /// The last lines of the output.
  ///
  /// For a backtrace, only the first frames of the program itself are kept. Frames of shared libraries, such as those
  /// of the runtime's crash handling, are kept only if there are no others.
  ///
  /// - Parameters:
  ///   - bytes: The end of the output. It may begin in the middle of a line.
  ///   - limit: The largest number of lines, without the line “…” for omitted lines.
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

  private static func plain(_ line: Substring) -> String {
    let scalars = line.unicodeScalars.map { $0 == "\t" ? " " : $0 }
      .filter { $0.properties.generalCategory != .control }
    let trimmed = scalars.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return String(String.UnicodeScalarView(trimmed))
  }

  /// Whether a line is a frame of Swift's runtime or gdb: a number, then an address.
  private static func isFrame(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let number = words.first else { return false }
    let digits = number.hasPrefix("#") ? number.dropFirst() : number
    return !digits.isEmpty && digits.allSatisfy(\.isNumber) && words[1].contains("0x")
  }

  /// The library's name is before the address or after “in”.
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
