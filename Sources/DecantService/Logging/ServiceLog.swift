internal import Foundation
internal import Glibc
internal import LineOutput

/// The daemon's messages on standard error.
///
/// They have priorities if the journal reads them.
package final class ServiceLog {
  /// The syslog priorities in use.
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  private let output: NonBlockingOutput
  private let hasPriorities: Bool

  package init(descriptor: Int32 = 2, hasPriorities: Bool? = nil) {
    output = NonBlockingOutput(descriptor)
    self.hasPriorities = hasPriorities ?? Self.isJournal(descriptor)
  }

  /// Writes one event as one line; it never waits.
  ///
  /// A closed or full standard error is no reason to stop. The next line that fits says how many were dropped.
  package func say(_ priority: Priority, _ text: String) {
    let dropped = output.dropped
    let messages = dropped == 1 ? "1 message was dropped" : "\(dropped) messages were dropped"
    let notice = dropped == 0 ? "" : line(.warning, "\(messages), because standard error wasn't read.")
    output.write(line(priority, text), after: notice)
  }

  private func line(_ priority: Priority, _ text: String) -> String {
    (hasPriorities ? "<\(priority.rawValue)>" : "decantd: ") + Self.oneLine(text) + "\n"
  }

  private static func oneLine(_ text: String) -> String {
    // Quotes stay unchanged, so that commands in the text can be copied.
    text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      ? text : LogLine.escaped(text)
  }

  /// Whether the journal reads the descriptor: `JOURNAL_STREAM` names its device and inode.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
