/// Writes a command line that can be pasted into a shell.
enum ShellText {
  /// The words with single quotes where a shell needs them.
  static func line(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

  private static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_./:,+=@%".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
