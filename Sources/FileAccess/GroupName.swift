internal import Glibc

/// Names of groups for commands that a person types.
package enum GroupName {
  /// The group's name, or its number if it has no name.
  package static func of(_ group: UInt32) -> String {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getgrgid_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name
    else { return String(group) }
    return String(cString: name)
  }
}
