/// The owner, the group and the list of rights of a file, which decide who may do what with the file.
///
/// With a list, the group's bits of the mode are the mask and not the group's rights. So the mode alone isn't enough.
package struct FileRights: Sendable, Hashable {
  package static let read: UInt32 = 4
  package static let write: UInt32 = 2
  package static let search: UInt32 = 1

  package var owner: UInt32
  package var group: UInt32
  package var list: AccessList

  /// - Parameter list: `nil` if the file has only its mode.
  package init(owner: UInt32, group: UInt32, mode: UInt32, list: AccessList? = nil) {
    (self.owner, self.group, self.list) = (owner, group, list ?? AccessList(mode: mode))
  }

  /// Whether a user has all rights in `needed`, as the kernel decides it.
  package func allow(_ needed: UInt32, user: UInt32, groups: Set<UInt32>) -> Bool {
    if user == 0 { return true }
    if user == owner { return list.owner & needed == needed }
    let mask = list.effectiveMask
    if let rights = list.users[user] { return rights & mask & needed == needed }
    let entries =
      list.groups.filter { groups.contains($0.key) }.map(\.value) + (groups.contains(group) ? [list.group] : [])
    // A single entry has to give all rights.
    if !entries.isEmpty { return entries.contains { $0 & mask & needed == needed } }
    return list.others & needed == needed
  }

  /// Whether all users have all rights in `needed`.
  ///
  /// The rights of the owner and of the users that the list names aren't considered.
  package func allowEverybody(_ needed: UInt32) -> Bool {
    let entries = [list.group] + list.groups.values
    return list.others & needed == needed && entries.allSatisfy { $0 & list.effectiveMask & needed == needed }
  }

  /// Whether all members of a group have all rights in `needed`.
  ///
  /// The rights of the owner and of the users that the list names aren't considered.
  package func allowMembers(of group: UInt32, _ needed: UInt32) -> Bool {
    let entries = (group == self.group ? [list.group] : []) + (list.groups[group].map { [$0] } ?? [])
    // A member may also be in a group of the list that has fewer rights. `allowEverybody` considers these groups.
    guard !entries.isEmpty else { return allowEverybody(needed) }
    return entries.contains { $0 & list.effectiveMask & needed == needed }
  }

  /// Whether a user has all rights in `needed`.
  ///
  /// A user that is neither the owner nor in the list has the rights that everybody has.
  package func allowUser(_ user: UInt32, _ needed: UInt32) -> Bool {
    if user == owner { return list.owner & needed == needed }
    guard let rights = list.users[user] else { return allowEverybody(needed) }
    return rights & list.effectiveMask & needed == needed
  }

  /// Whether a user other than these users may have a right, or owns the file.
  ///
  /// An owner counts even without the right, because an owner can change the rights. Each group with the right counts,
  /// because its members aren't known here.
  package func allowAnyone(_ right: UInt32, except users: Set<UInt32>) -> Bool {
    if !users.contains(owner) { return true }
    if list.others & right != 0 { return true }
    let named = list.users.filter { !users.contains($0.key) }.values
    return (Array(named) + Array(list.groups.values) + [list.group]).contains {
      $0 & list.effectiveMask & right != 0
    }
  }
}
