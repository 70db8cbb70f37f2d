internal import FileNames

package enum SpoolError: Error, Sendable, Hashable, CustomStringConvertible {
  case files(FileFailure)
  case inUse(spool: String, process: Int?)
  case severalFileSystems(spool: String, folder: String)
  /// The lock belongs to another user.
  case foreignLock(path: String, user: UInt32)
  /// The lock isn't a plain file, or the file has several names.
  case badLock(path: String)

  package var description: String {
    switch self {
    case .files(let failure): "The spool can't be used. \(failure)"
    case .inUse(let spool, let process):
      "Another decantd\(process.map { " (process \($0))" } ?? "") uses the spool “\(spool)”. "
        + "Stop it first, or use another spool for this daemon."
    case .severalFileSystems(let spool, let folder):
      "“\(folder)” is on another file system than the rest of the spool “\(spool)”. Decant moves stores by rename. "
        + "So all four folders must be on one file system."
    case .foreignLock(let path, let user):
      "“\(path)” belongs to the user with the number \(user), so this user can't lock the spool. A decantd ran as that user. "
        + "If it has stopped, remove the file: rm \(ShellQuoting.quote(path))"
    case .badLock(let path):
      "“\(path)” is not a plain file with one name, so it can't be the spool's lock. "
        + "Remove this name: rm \(ShellQuoting.quote(path))"
    }
  }

  /// The exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .files(let failure): failure.exitCodeOfMaking
    case .inUse: 75
    case .severalFileSystems: 78
    case .foreignLock: 77
    case .badLock: 73
    }
  }
}
