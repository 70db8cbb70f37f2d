/// Why a spool can't be used.
package enum SpoolError: Error, Sendable, Hashable, CustomStringConvertible {
  case files(FileFailure)
  case inUse(spool: String, process: Int?)
  case severalFileSystems(spool: String, folder: String)

  package var description: String {
    switch self {
    case .files(let failure): "The spool can't be used. \(failure)"
    case .inUse(let spool, let process):
      "Another decantd\(process.map { " (process \($0))" } ?? "") works on the spool “\(spool)”. "
        + "Stop it first, or give this one a spool of its own."
    case .severalFileSystems(let spool, let folder):
      "“\(folder)” is on another file system than the rest of the spool “\(spool)”. Stores are handed on by rename: "
        + "all four folders have to be on one."
    }
  }

  /// The exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .files(let failure): failure.isDenied ? 77 : 73
    case .inUse: 75
    case .severalFileSystems: 78
    }
  }
}
