internal import Glibc
internal import LineOutput
internal import Synchronization

/// A message as a line on standard error.
enum LogLine {
  /// The largest number of bytes of a line without its newline.
  static let limit = 16_384

  /// The output for the lines, and the identity of its file.
  private struct Place {
    var output: NonBlockingOutput
    var device: UInt
    var inode: UInt
  }

  private static let place = Mutex<Place?>(nil)

  /// Writes a line without waiting for the reader.
  ///
  /// A line that can't be written is dropped.
  static func write(_ level: LogLevel, source: String, _ text: String) {
    let line = Self.text(of: level, source: source, text) + "\n"
    place.withLock { place in
      var status = stat()
      guard fstat(STDERR_FILENO, &status) == 0 else { return }
      let (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
      // A program may point its standard error elsewhere.
      if place?.device != device || place?.inode != inode {
        place = Place(output: NonBlockingOutput(STDERR_FILENO), device: device, inode: inode)
      }
      guard let output = place?.output else { return }
      let dropped = output.dropped
      let lines = dropped == 1 ? "1 line was dropped" : "\(dropped) lines were dropped"
      output.write(line, after: dropped == 0 ? "" : "os: \(lines), because standard error wasn't read.\n")
    }
  }

  /// The line without a newline at its end.
  static func text(of level: LogLevel, source: String, _ text: String) -> String {
    let line = (source.isEmpty ? "" : "[\(escaped(source))] ") + "\(level.rawValue): \(escaped(text))"
    return line.utf8.count > limit ? cut(line) : line
  }

  private static func cut(_ line: String) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    for scalar in line.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= limit - 3 else { break }
      scalars.append(scalar)
    }
    return String(scalars) + "…"
  }

  /// The text with line breaks and other unsafe characters as escapes.
  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isUnsafe: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
