internal import Glibc

/// Names of users for messages and commands.
enum UserName {
  /// The user's name, or the number if there is no name.
  static func of(_ user: UInt32) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
    else { return String(user) }
    return String(cString: name)
  }
}
