internal import Foundation
internal import Glibc
internal import LineOutput

/// Writes the daemon's messages to standard error, one line for each.
///
/// If the journal reads standard error, the messages are sent to the journal as records instead.
package final class ServiceLog {
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  private let output: NonBlockingOutput
  private let journal: JournalOutput?

  package init(descriptor: Int32 = 2) {
    output = NonBlockingOutput(descriptor)
    journal = Self.isJournal(descriptor) ? JournalOutput() : nil
  }

  /// - Parameter journal: Takes the records, instead of standard error.
  package init(journal: JournalOutput) {
    output = NonBlockingOutput(2)
    self.journal = journal
  }

  /// Writes one event as one record or line; it never waits.
  ///
  /// A closed or full standard error doesn't stop the daemon. The next line that fits says how many lines were dropped.
  package func say(_ record: JournalRecord) {
    var record = record
    record.message = Self.oneLine(record.message)
    if let journal { journal.write(record) } else { write(record.message) }
  }

  /// Waits until the journal has everything, but at most a second.
  package func finish() { journal?.finish() }

  private func write(_ text: String) {
    let dropped = output.dropped
    let messages = dropped == 1 ? "1 message was dropped" : "\(dropped) messages were dropped"
    let notice = dropped == 0 ? "" : line("\(messages), because standard error wasn't read.")
    output.write(line(text), after: notice)
  }

  private func line(_ text: String) -> String { "decantd: \(text)\n" }

  private static func oneLine(_ text: String) -> String {
    // Quotes stay unchanged, so that commands in the text can be copied.
    text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      ? text : LogLine.escaped(text)
  }

  /// Whether the journal reads the descriptor: `JOURNAL_STREAM` names its device and inode.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    // A daemon with its own root directory may be unable to reach the journal's socket. The journal then gets lines.
    guard fstat(descriptor, &status) == 0, access("/run/systemd/journal/socket", W_OK) == 0 else {
      return false
    }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
