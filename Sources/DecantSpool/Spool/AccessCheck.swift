internal import FileAccess
internal import Glibc

/// A user with groups, to find out what the user may do with a file.
///
/// The answer is computed from modes and access lists, so it is available for any user.
package struct AccessCheck: Sendable {
  package var user: UInt32
  package var groups: Set<UInt32>

  package static let read = FileRights.read
  package static let write = FileRights.write
  package static let search = FileRights.search

  package init(user: UInt32, groups: Set<UInt32>) {
    self.user = user
    self.groups = groups
  }

  package static var current: AccessCheck {
    var list = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(list.count), &list)
    return AccessCheck(user: geteuid(), groups: Set(list.prefix(Int(max(0, count)))).union([getegid()]))
  }

  /// Whether the user has all of the rights in `needed`.
  ///
  /// - Parameter rights: The file's rights; evaluated only if the user is neither root nor the file's owner.
  func allows(_ needed: UInt32, _ status: FileStatus, rights: @autoclosure () -> FileRights) -> Bool {
    if user == 0 { return true }
    // No access list changes the owner's rights.
    if user == status.owner { return status.mode >> 6 & needed == needed }
    return rights().allow(needed, user: user, groups: groups)
  }

  /// Whether the user may remove a name from a folder.
  ///
  /// In a sticky folder, only root and the owners of the folder and of the name may.
  func allowsRemoval(of status: FileStatus, from folder: FileStatus, rights: @autoclosure () -> FileRights)
    -> Bool
  {
    guard allows(Self.write | Self.search, folder, rights: rights()) else { return false }
    return folder.mode & 0o1000 == 0 || user == 0 || user == folder.owner || user == status.owner
  }
}
