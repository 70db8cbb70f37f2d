internal import DecantReport
internal import FileNames
internal import Glibc

/// A file of a store can't be read or written.
struct FileTrouble: Error, Sendable, Hashable {
  /// For messages.
  var path: String
  /// Continues “can't be”.
  var action: String
  var code: Int32

  init(_ path: [UInt8], _ action: String, _ code: Int32 = errno) {
    self.path = ByteFile.printed(path)
    self.action = action
    self.code = code
  }

  init(_ path: String, _ action: String, _ code: Int32 = errno) {
    self.init(Array(path.utf8), action, code)
  }

  /// Whether the file system has no room.
  var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

  /// The failure of the store.
  var failure: MigrationFailure {
    let message = "\(path) can't be \(action): \(String(cString: strerror(code)))."
    return switch code {
    case ENOENT, ENOTDIR: MigrationFailure(.noSuchFile, message: message)
    case EACCES, EPERM: MigrationFailure(.permission, message: message)
    case ENAMETOOLONG, ELOOP: MigrationFailure(.badData, message: message)
    case EFBIG:
      MigrationFailure(
        .noRoom, message: message,
        advice: "Raise the limit on file sizes (ulimit -f), then run the shard again.")
    case ENOSPC, EDQUOT:
      MigrationFailure(.noRoom, message: message, advice: "Free space, then run the shard again.")
    case EIO: MigrationFailure(.disk, message: message)
    default: MigrationFailure(.files, message: message)
    }
  }
}
