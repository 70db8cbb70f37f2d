internal import Foundation

/// An error of the disk, or of the network behind it: it says nothing about what the file holds.
public struct DiskFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or folder.
  public let path: String
  /// What was tried, to stand after “can't be”.
  public let action: String
  /// The errno.
  public let code: Int32

  public init(path: String, action: String, code: Int32) {
    self.path = path
    self.action = action
    self.code = code
  }

  /// Whether an errno is one of the disk's, and not of permissions, names, room or kinds of files.
  public static func isOne(_ code: Int32) -> Bool { codes.contains(code) }

  /// The device has failed or gone, the file system has found itself damaged, or the server behind it doesn't answer.
  private static let codes: Set<Int32> = [
    EIO, ENXIO, ENODEV, ENOMEDIUM, EREMOTEIO, EUCLEAN, EBADMSG, ESTALE, ETIMEDOUT, ENOTCONN, ENOLINK,
    EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ECONNRESET, ECONNABORTED,
  ]

  /// Whether something couldn't be read: what couldn't be written is not tried again at once in the hope of a better
  /// answer.
  public var isOfReading: Bool { ["read", "listed", "looked at", "read or written"].contains(action) }

  /// One sentence, without a full stop.
  public var description: String {
    "\(path) can't be \(action): \(String(cString: strerror(code))); the disk has failed, or the network behind it, "
      + "not the store"
  }

  /// What to do about it.
  public static let advice = "Look after the disk (dmesg may say more), then try again."
}
