internal import Glibc

/// The rights that a file's permission bits give a user.
///
/// It is pure, so it works for any user.
package struct AccessCheck: Sendable {
  package var user: UInt32
  package var groups: Set<UInt32>

  package static let read: UInt32 = 4
  package static let write: UInt32 = 2
  package static let search: UInt32 = 1

  package init(user: UInt32, groups: Set<UInt32>) {
    self.user = user
    self.groups = groups
  }

  /// The user that this process runs as.
  package static var current: AccessCheck {
    var list = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(list.count), &list)
    return AccessCheck(user: geteuid(), groups: Set(list.prefix(Int(max(0, count)))).union([getegid()]))
  }

  /// Whether the user has all of the rights in `needed`.
  package func allows(_ needed: UInt32, _ status: FileStatus) -> Bool {
    if user == 0 { return true }
    let bits =
      user == status.owner ? status.mode >> 6 : groups.contains(status.group) ? status.mode >> 3 : status.mode
    return bits & needed == needed
  }

  /// Whether the user may remove a name from a folder.
  ///
  /// In a sticky folder, only an owner may.
  package func allowsRemoval(of status: FileStatus, from folder: FileStatus) -> Bool {
    guard allows(Self.write | Self.search, folder) else { return false }
    return folder.mode & 0o1000 == 0 || user == 0 || user == folder.owner || user == status.owner
  }
}
