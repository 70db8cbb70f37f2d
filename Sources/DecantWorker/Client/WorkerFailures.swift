internal import Glibc

/// A worker could not be started; no store is the cause.
package struct WorkerStartFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package var executable: String
  /// The errno.
  package var code: Int32

  package var description: String {
    "The worker “\(executable)” can't be started: \(String(cString: strerror(code)))."
  }
}

/// A worker wrote a line that isn't an event of the protocol.
package struct WorkerLineFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The start of the line.
  package var start: String

  package var description: String { "The worker wrote a line that isn't an event: “\(start)”." }
}
