internal import Foundation

/// Writes a line to standard error, for calls that fail with nil and give no reason.
enum LogLine {
  /// - Parameter problem: A sentence without its full stop. Line breaks in it become spaces.
  static func write(_ problem: String) {
    let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("CoreData: error: \(line)\n".utf8))
  }
}
