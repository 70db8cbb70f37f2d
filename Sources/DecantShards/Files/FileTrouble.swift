internal import DecantReport
internal import FileNames
internal import Glibc

struct FileTrouble: Error, Sendable, Hashable {
  var path: [UInt8]
  /// The words after “can't be” in the message.
  var action: String
  var code: Int32

  init(_ path: [UInt8], _ action: String, _ code: Int32 = errno) {
    self.path = path
    self.action = action
    self.code = code
  }

  init(_ path: String, _ action: String, _ code: Int32 = errno) {
    self.init(Array(path.utf8), action, code)
  }

  func isIn(_ folder: String) -> Bool {
    path.starts(with: Array("\(folder)/".utf8)) || path == Array(folder.utf8)
  }

  /// Whether further stores would probably have the same trouble.
  var concernsAllStores: Bool { [ENOSPC, EDQUOT, EFBIG, EACCES, EPERM, EROFS].contains(code) }

  private var message: String {
    "\(ByteFile.printed(path)) can't be \(action): \(String(cString: strerror(code)))."
  }

  /// The failure if the file is one of the store itself.
  var failureOfStore: MigrationFailure {
    switch code {
    case ENOENT, ENOTDIR: MigrationFailure(.noSuchFile, message: message)
    // The store may be sound: another user may be able to read it.
    case EACCES, EPERM:
      MigrationFailure(
        .permission, .retry, message: message,
        advice: "Run the shard as a user who may read the store, or give this user the right.")
    case ENAMETOOLONG, ELOOP: MigrationFailure(.badData, message: message)
    default: failureOfPlace
    }
  }

  /// The failure if the file is in the output or in the scratch folder.
  ///
  /// The failure says nothing about the store, so another run tries the store again.
  var failureOfPlace: MigrationFailure {
    switch code {
    case EFBIG:
      MigrationFailure(
        .fileLimit, message: message,
        advice: "Raise the limit on file sizes (ulimit -f), then run the shard again.")
    case ENOSPC, EDQUOT:
      MigrationFailure(.noRoom, message: message, advice: "Free space, then run the shard again.")
    case EIO: MigrationFailure(.disk, message: message)
    default:
      MigrationFailure(
        .files, message: message, advice: "Check the folder and its permissions, then run the shard again.")
    }
  }
}
