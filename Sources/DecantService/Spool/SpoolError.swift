/// Why a spool can't be used.
package enum SpoolError: Error, Sendable, Hashable, CustomStringConvertible {
  case files(FileFailure)
  case inUse(spool: String, process: Int?)
  case severalFileSystems(spool: String, folder: String)

  package var description: String {
    switch self {
    case .files(let failure): "The spool can't be used. \(failure)"
    case .inUse(let spool, let process):
      "Another decantd\(process.map { " (process \($0))" } ?? "") uses the spool “\(spool)”. "
        + "Stop it first, or use another spool for this one."
    case .severalFileSystems(let spool, let folder):
      "“\(folder)” is on another file system than the rest of the spool “\(spool)”. Decant moves stores by rename. "
        + "So all four folders must be on one file system."
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
