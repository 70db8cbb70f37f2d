internal import Glibc

/// What a number of 32 bits stands for.
public struct OSLogInt32ExtendedFormat: Sendable {
  private enum Kind { case errorNumber, mode, address }

  private let kind: Kind

  /// An `errno`, shown with its text.
  public static var darwinErrno: Self { Self(kind: .errorNumber) }
  /// Permissions of a file, shown in octal digits.
  public static var darwinMode: Self { Self(kind: .mode) }
  /// An IPv4 address, in network byte order.
  public static var ipv4Address: Self { Self(kind: .address) }

  func text(of number: Int32) -> String {
    switch kind {
    case .errorNumber: return "[\(number): \(String(cString: strerror(number)))]"
    case .mode: return "0" + String(UInt32(bitPattern: number), radix: 8)
    case .address:
      let bytes = withUnsafeBytes(of: number) { Array($0) }
      return bytes.map(String.init).joined(separator: ".")
    }
  }
}
