internal import Glibc

/// A worker could not be started; no store is the cause.
package struct WorkerStartFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package var executable: String
  package var code: Int32

  package var description: String {
    guard !isFolder else {
      let folder = executable.hasSuffix("/") ? String(executable.dropLast()) : executable
      return "The worker “\(executable)” can't be started: it is a folder; "
        + "perhaps “\(folder)/.build/debug/NAME” is meant."
    }
    return "The worker “\(executable)” can't be started: \(String(cString: strerror(code)))."
  }

  /// Whether a package's folder may have been named in place of the executable in it.
  private var isFolder: Bool {
    var status = stat()
    return code == EACCES && stat(executable, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// A worker wrote a line that isn't an event of the protocol.
package struct WorkerLineFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The start of the line.
  package var start: String

  package var description: String { "The worker wrote a line that isn't an event: “\(start)”." }
}
