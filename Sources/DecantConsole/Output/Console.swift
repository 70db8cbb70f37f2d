internal import Foundation
internal import Synchronization

/// Writes data to standard output and messages to standard error.
package final class Console: Sendable {
  package let output: Channel
  package let messages: Channel
  package let environment: [String: String]
  private let outputError = Mutex<Int32>(0)
  private let messagesError = Mutex<Int32>(0)

  package init(output: Channel, messages: Channel, environment: [String: String] = [:]) {
    self.output = output
    self.messages = messages
    self.environment = environment
  }

  package static func standard() -> Console {
    let environment = ProcessInfo.processInfo.environment
    return Console(
      output: .descriptor(STDOUT_FILENO, environment: environment),
      messages: .descriptor(STDERR_FILENO, environment: environment), environment: environment)
  }

  /// Writes lines of data.
  ///
  /// A closed pipe silently ends the output, as readers such as `head` expect. Other errors are kept for the exit code.
  package func print(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    write(lines.joined(separator: "\n") + "\n", to: output, outputError)
  }

  package func print(_ line: String) { print([line]) }

  /// Writes a message unchanged.
  package func tell(_ text: String) { write(text, to: messages, messagesError) }

  /// Writes a sentence, wrapped on a terminal.
  package func say(_ sentence: String) {
    tell((messages.isTerminal ? TextWrap.wrap(sentence, width: messages.width) : sentence) + "\n")
  }

  /// The errno of a failed write to standard output; `nil` if none failed, or if a pipe was closed.
  package var outputFailure: Int32? {
    let code = outputError.withLock { $0 }
    return code == 0 || code == EPIPE ? nil : code
  }

  /// Whether an earlier write to standard output failed.
  package var isClosed: Bool { outputError.withLock { $0 != 0 } }

  /// Whether text on a channel may have colour.
  package func usesColour(on channel: Channel) -> Bool {
    channel.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  private func write(_ text: String, to channel: Channel, _ error: borrowing Mutex<Int32>) {
    error.withLock { code in
      guard code == 0 else { return }
      code = channel.write(Array(text.utf8))
    }
  }
}
