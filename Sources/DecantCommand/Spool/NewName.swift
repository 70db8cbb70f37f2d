internal import CLinux
internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

/// A rename to a name that must be free.
enum NewName {
  static func isTaken(_ name: FileName, in folder: String) -> Bool {
    var status = stat()
    return lstat(place(of: name, in: folder), &status) == 0
  }

  private static func place(of name: FileName, in folder: String) -> [CChar] {
    "\(folder)/".utf8.map { CChar(bitPattern: $0) } + name.bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Renames a file or folder, unless the new name exists.
  ///
  /// - Returns: False if the name is taken.
  static func rename(_ path: String, into folder: String, as name: FileName) throws(CommandFailure) -> Bool {
    let place = place(of: name, in: folder)
    var result = decant_rename_without_replacing(AT_FDCWD, path, AT_FDCWD, place)
    // Some file systems have no rename that refuses to replace. Even there, a renamed folder never replaces a file or a
    // folder with content.
    if result != 0, errno == EINVAL || errno == ENOSYS {
      var status = stat()
      if lstat(place, &status) == 0 { return false }
      result = Foundation.rename(path, place)
    }
    if result == 0 { return true }
    guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) else {
      throw CommandFailure(errno: errno, "\(folder)/\(name)", "created")
    }
    return false
  }
}
