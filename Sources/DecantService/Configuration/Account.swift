internal import Glibc

/// A user or a group of the machine.
package struct Account: Sendable, Hashable {
  /// The name or number as it was written.
  package let name: String
  package let number: UInt32

  enum Kind: Sendable {
    case user
    case group
  }

  /// A number below 2^32 - 1 is accepted even if no account has it.
  init?(_ kind: Kind, _ name: String) {
    let known =
      switch kind {
      case .user: getpwnam(name)?.pointee.pw_uid
      case .group: getgrnam(name)?.pointee.gr_gid
      }
    guard let found = Self.number(name) ?? known else { return nil }
    (self.name, number) = (name, found)
  }

  /// The highest number isn't accepted, because it means “unchanged” to the system.
  private static func number(_ text: String) -> UInt32? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text).flatMap { $0 == .max ? nil : $0 }
  }
}

/// The permission bits of a file as text.
enum FileMode {
  /// The bits of three octal digits, with or without a leading 0.
  static func bits(of text: String) -> UInt32? {
    guard text.utf8.count == 3 || text.utf8.count == 4 && text.hasPrefix("0"),
      let bits = UInt32(text, radix: 8), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
      bits & 0o111 == 0, bits & 0o400 != 0
    else { return nil }
    return bits
  }
}
