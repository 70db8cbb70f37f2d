package import DecantModel
internal import FileNames
internal import Glibc

/// A failed operation on a file: a call to the system failed, or the file is of the wrong kind or too large.
package struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The attempted operation: the words after “Can't” in the description.
  package var operation: String
  package var path: String
  package var target: String?
  /// The errno of the failed call; `EINVAL` if `problem` isn't `nil`.
  package var code: Int32
  /// The problem with the file; `nil` if a call failed with the errno `code`.
  private var problem: FileProblem?

  package init(_ operation: String, _ path: String, to target: String? = nil, _ code: Int32 = errno) {
    self.operation = operation
    self.path = path
    self.target = target
    self.code = code
  }

  package init(_ operation: String, _ path: String, _ problem: FileProblem) {
    self.init(operation, path, EINVAL)
    self.problem = problem
  }

  package var isTooLarge: Bool {
    if case .tooLarge = problem { true } else { false }
  }

  package var description: String {
    if let problem { return "Can't \(operation) “\(PrintedName.of(path))”: \(problem)." }
    return "Can't \(operation) “\(PrintedName.of(path))”\(target.map { " to “\(PrintedName.of($0))”" } ?? ""): "
      + "\(String(cString: strerror(code)))\(hint)."
  }

  /// A hint after the system's text for the errno; empty for an errno without a hint.
  private var hint: String {
    switch code {
    case ENOSPC: " (the disk is full, or it has no inode left: see df and df -i)"
    case EDQUOT: " (the quota of the daemon's user is used up)"
    case EFBIG: " (a limit on the size of files, see ulimit -f)"
    case EXDEV: " (another file system)"
    case EACCES, EPERM: " (the daemon's user, “\(UserName.of(geteuid()))”, lacks the permission)"
    case _ where isOfDisk: " (the disk or the network behind it failed; the store may be good)"
    default: ""
    }
  }

  /// Whether another try may succeed with the same file.
  package var isPassing: Bool { isOfDisk || [ENOMEM, EMFILE, ENFILE, EAGAIN, EINTR].contains(code) }
  /// The exit code of sysexits.h if the spool or the socket can't be made.
  ///
  /// With 73 the service manager doesn't try again, so a full disk has another code.
  package var exitCodeOfMaking: Int32 {
    if isDenied { return 77 }
    return isPassing || [ENOSPC, EDQUOT].contains(code) ? 74 : 73
  }
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether the disk failed, or the network behind it.
  ///
  /// If so, the file itself may be good.
  package var isOfDisk: Bool { DiskFailure.isOne(code) }
  package var isMissing: Bool { code == ENOENT }
  package var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }
}
