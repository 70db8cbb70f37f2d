internal import FileAccess
internal import FileNames
internal import Glibc

/// The shell commands that give the daemon's user access to a drop.
///
/// Where new names in `incoming/` get an access list, the commands change access lists and not groups, because a group
/// may have further members.
package struct AccessRemedy: Sendable {
  /// The daemon's user.
  private let user: UInt32
  /// Whether new names in `incoming/` get an access list.
  private let hasLists: Bool
  /// The group that owns `incoming/`.
  private let group: UInt32

  package init(user: UInt32, in incoming: FolderHandle) throws(FileFailure) {
    self.user = user
    hasLists = AccessList(forNewNamesIn: incoming.descriptor) != nil
    group = try incoming.status().group
  }

  /// The command for a name that the daemon may not use.
  ///
  /// - Parameter groups: The daemon's groups.
  func command(for path: String, isFolder: Bool, rights: FileRights, groups: Set<UInt32>) -> String {
    let quoted = ShellQuoting.quote(path)
    let chmod = "chmod \(isFolder ? "g+rwx" : "g+r") \(quoted)"
    // With an access list, the group's bits are the mask. The user is in the list already, so a wider mask is enough.
    if rights.list.users[user] != nil { return chmod }
    if hasLists { return "setfacl -m u:\(UserName.of(user)):\(isFolder ? "rwx" : "r") \(quoted)" }
    return groups.contains(rights.group)
      ? chmod : "chgrp \(ShellQuoting.quote(GroupName.of(group))) \(quoted) && \(chmod)"
  }

  /// The command for a drop that the daemon can't take, if it isn't known which of its files causes this.
  package func command(forAllOf path: String) -> String {
    let quoted = ShellQuoting.quote(path)
    return hasLists ? "setfacl -R -m u:\(UserName.of(user)):rwX \(quoted)" : "chmod -R g+rwX \(quoted)"
  }
}
