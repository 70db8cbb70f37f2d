internal import Foundation

/// Writes a line to standard error, for calls that can't throw the reason of a failure.
enum LogLine {
  /// - Parameter problem: A sentence. Line breaks in it become spaces.
  static func write(_ problem: String) {
    let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("CoreData: error: \(line)\n".utf8))
  }
}
