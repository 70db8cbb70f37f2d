internal import CLinux
internal import Glibc

/// A POSIX access control list: the rights of a mode, and of further users and groups.
///
/// The layout is that of acl(5) in Linux's extended attribute: version 2, then entries of tag, rights and number.
/// Rights are the three bits of a mode: 4 to read, 2 to write, 1 to execute or search.
package struct AccessList: Sendable, Hashable {
  package var owner: UInt32
  package var group: UInt32
  package var others: UInt32
  /// The rights of further users and groups, by their numbers.
  package var users: [UInt32: UInt32] = [:]
  package var groups: [UInt32: UInt32] = [:]
  /// The limit for the rights of the group and of all further users and groups; `nil` for no limit.
  package var mask: UInt32?

  /// The list with the same rights as a mode.
  package init(mode: UInt32) { (owner, group, others) = (mode >> 6 & 7, mode >> 3 & 7, mode & 7) }

  private enum Tag: UInt16 {
    case owner = 0x01
    case user = 0x02
    case owningGroup = 0x04
    case group = 0x08
    case mask = 0x10
    case other = 0x20
  }

  private static let version: UInt32 = 2
  private static let entrySize = 8
  private static let accessName = "system.posix_acl_access"
  private static let defaultName = "system.posix_acl_default"

  /// Reads the attribute; `nil` if it isn't a list.
  package init?(attribute: [UInt8]) {
    guard attribute.count >= 4, (attribute.count - 4) % Self.entrySize == 0,
      Self.number(attribute[..<4]) == Self.version
    else { return nil }
    var parts: [Tag: UInt32] = [:]
    var (users, groups): ([UInt32: UInt32], [UInt32: UInt32]) = ([:], [:])
    for start in stride(from: 4, to: attribute.count, by: Self.entrySize) {
      let rights = Self.number(attribute[start + 2..<start + 4])
      let number = Self.number(attribute[start + 4..<start + 8])
      guard let tag = Tag(rawValue: UInt16(Self.number(attribute[start..<start + 2]))), rights <= 7 else {
        return nil
      }
      let former: UInt32?
      switch tag {
      case .user: former = users.updateValue(rights, forKey: number)
      case .group: former = groups.updateValue(rights, forKey: number)
      default: former = parts.updateValue(rights, forKey: tag)
      }
      guard former == nil else { return nil }
    }
    guard let owner = parts[.owner], let group = parts[.owningGroup], let others = parts[.other] else {
      return nil
    }
    (self.owner, self.group, self.others, self.users, self.groups) = (owner, group, others, users, groups)
    mask = parts[.mask]
    // Without a mask there are no further users and groups.
    guard mask != nil || users.isEmpty && groups.isEmpty else { return nil }
  }

  /// The value of the attribute, in the order that the kernel asks for.
  package var attribute: [UInt8] {
    var bytes = Self.bytes(Self.version)
    func add(_ tag: Tag, _ rights: UInt32, _ number: UInt32 = .max) {
      bytes += Self.bytes(tag.rawValue) + Self.bytes(UInt16(rights & 7)) + Self.bytes(number)
    }
    add(.owner, owner)
    for (number, rights) in users.sorted(by: { $0.key < $1.key }) { add(.user, rights, number) }
    add(.owningGroup, group)
    for (number, rights) in groups.sorted(by: { $0.key < $1.key }) { add(.group, rights, number) }
    if mask != nil || !users.isEmpty || !groups.isEmpty { add(.mask, effectiveMask) }
    add(.other, others)
    return bytes
  }

  package var effectiveMask: UInt32 { mask ?? users.values.reduce(groups.values.reduce(group, |), |) }

  /// The list of an open file or folder; `nil` if it has no list.
  package init?(of descriptor: Int32) {
    self.init(room: 1024) { fgetxattr(descriptor, Self.accessName, $0, $1) }
  }

  /// The list of a path; a link at the end of the path isn't followed.
  package init?(ofPath path: String) {
    self.init(room: 1024) { lgetxattr(path, Self.accessName, $0, $1) }
  }

  /// The list that new names in an open folder get.
  package init?(forNewNamesIn folder: Int32) {
    self.init(room: 1024) { fgetxattr(folder, Self.defaultName, $0, $1) }
  }

  private init?(room: Int, read: (UnsafeMutableRawPointer?, Int) -> Int) {
    var bytes = [UInt8](repeating: 0, count: room)
    var count = bytes.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
    if count < 0, errno == ERANGE {
      // The kernel's limit for attributes.
      bytes = [UInt8](repeating: 0, count: 65_536)
      count = bytes.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
    }
    guard count > 0 else { return nil }
    self.init(attribute: Array(bytes.prefix(count)))
  }

  /// Sets the list of an open file or folder, and with it the mode.
  ///
  /// - Returns: Whether the file has the rights now; false on a file system without lists.
  package func apply(to descriptor: Int32) -> Bool { set(Self.accessName, of: descriptor) }

  /// Sets the list that new names in an open folder get.
  package func applyToNewNames(in folder: Int32) -> Bool { set(Self.defaultName, of: folder) }

  /// Removes the list of an open file or folder, and for a folder the list that new names in it get.
  ///
  /// The bits of the mode stay.
  ///
  /// - Returns: Whether there is no list now; if false, `errno` has the cause.
  package static func remove(from descriptor: Int32, isFolder: Bool) -> Bool {
    let names: [String] = isFolder ? [accessName, defaultName] : [accessName]
    return names.allSatisfy { name in
      guard fremovexattr(descriptor, name) != 0 else { return true }
      let code = errno
      // If there is no list, the removal may fail, too: the kernel checks the owner first.
      defer { errno = code }
      return fgetxattr(descriptor, name, nil, 0) < 0 && [ENODATA, ENOTSUP, ENOSYS].contains(errno)
    }
  }

  private func set(_ name: String, of descriptor: Int32) -> Bool {
    attribute.withUnsafeBytes { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0) == 0 }
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
