internal import Foundation
internal import Synchronization

/// Lines on standard error about values that come in another form than their readers may expect.
///
/// A wrong cast ends the process with a message that names no attribute. The line before it does.
enum Remark {
  private static let written = Mutex<Set<String>>([])

  /// Writes a line, the first time for a subject.
  static func once(_ subject: String, _ text: String) {
    guard written.withLock({ $0.insert(subject).inserted }) else { return }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("CoreData: warning: \(line).\n".utf8))
  }
}
