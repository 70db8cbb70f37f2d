internal import CLinux
internal import Glibc

/// A POSIX access control list: the rights of a mode, and of further users and groups.
///
/// The layout is that of acl(5) in Linux's extended attribute: version 2, then entries of tag, rights and number.
struct AccessList {
  /// The rights of further users and groups, by their numbers.
  var users: [UInt32: UInt16] = [:]
  var groups: [UInt32: UInt16] = [:]
  private let mode: UInt32

  init(mode: UInt32) { self.mode = mode }

  private enum Tag: UInt16 {
    case owner = 0x01
    case user = 0x02
    case owningGroup = 0x04
    case group = 0x08
    case mask = 0x10
    case other = 0x20
  }

  /// The value of the attribute, in the order that the kernel asks for.
  var attribute: [UInt8] {
    let rights: (UInt32) -> UInt16 = { UInt16(truncatingIfNeeded: mode >> $0 & 7) }
    var bytes = Self.bytes(UInt32(2))
    func add(_ tag: Tag, _ rights: UInt16, _ number: UInt32 = .max) {
      bytes += Self.bytes(tag.rawValue) + Self.bytes(rights) + Self.bytes(number)
    }
    add(.owner, rights(6))
    for (number, rights) in users.sorted(by: { $0.key < $1.key }) { add(.user, rights, number) }
    add(.owningGroup, rights(3))
    for (number, rights) in groups.sorted(by: { $0.key < $1.key }) { add(.group, rights, number) }
    add(.mask, users.values.reduce(groups.values.reduce(rights(3), |), |))
    add(.other, rights(0))
    return bytes
  }

  /// Sets the list of an open file or folder; does nothing without further users and groups.
  ///
  /// - Returns: Whether the file has the rights now.
  func apply(to descriptor: Int32) -> Bool {
    if users.isEmpty, groups.isEmpty { return true }
    return attribute.withUnsafeBytes {
      fsetxattr(descriptor, "system.posix_acl_access", $0.baseAddress, $0.count, 0) == 0
    }
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
