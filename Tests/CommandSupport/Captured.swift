import DecantCommand
import DecantConsole
import Foundation
import Synchronization

/// Runs a command inside the test and keeps its output.
package struct Captured {
  package let code: Int32
  package let output: String
  package let messages: String

  package init(
    _ arguments: [String], isTerminal: Bool = false, width: Int = 80, environment: [String: String] = [:]
  ) {
    let (output, messages) = (Sink(), Sink())
    code = CommandLineTool.run(
      arguments,
      Console(
        output: Channel(isTerminal: isTerminal, width: width, write: output.take),
        messages: Channel(isTerminal: isTerminal, width: width, write: messages.take), environment: environment)
    )
    self.output = output.text
    self.messages = messages.text
  }

  package var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Collects the output of a channel.
  ///
  /// It has a lock, because the engine writes from its own queue.
  package final class Sink: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    package init() {}

    package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    @Sendable package func take(_ new: [UInt8]) -> Int32 {
      bytes.withLock { $0 += new }
      return 0
    }
  }
}
