internal import Foundation
internal import Synchronization

/// Writes warnings on standard error about values that policies get in another form than they may expect.
///
/// If a policy casts such a value to the wrong type, the process ends with a message that names no attribute. So a
/// warning is written first, and it names the attribute.
enum Remark {
  private static let written = Mutex<Set<String>>([])
  /// The largest number of subjects that are remembered; after so many, a subject may get a second line.
  static let mostSubjects = 1000

  static var rememberedSubjects: Int { written.withLock { $0.count } }

  /// Writes a line, unless the subject is remembered from an earlier line.
  static func once(_ subject: String, _ text: String) {
    let isNew = written.withLock { written in
      guard !written.contains(subject) else { return false }
      if written.count >= mostSubjects { written.removeAll() }
      return written.insert(subject).inserted
    }
    guard isNew else { return }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    FileHandle.standardError.write(Data("CoreData: warning: \(line).\n".utf8))
  }
}
