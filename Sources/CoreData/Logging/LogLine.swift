internal import Foundation

/// A line on standard error, for calls that tell their caller nothing but nil.
enum LogLine {
  /// - Parameter problem: A sentence without its point. It becomes one line.
  static func write(_ problem: String) {
    let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("CoreData: error: \(line)\n".utf8))
  }
}
