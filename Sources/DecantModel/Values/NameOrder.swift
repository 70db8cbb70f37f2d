internal import Foundation

/// The orders in which Core Data sorts names.
public enum NameOrder {
  /// Compares by Unicode code points, as in hashes, digests and archives (docs/formats/version-hash.md 2, 3).
  public static func codePoints(_ left: String, _ right: String) -> Bool {
    // UTF-8 keeps the order of code points.
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let first = left.baseAddress, let second = right.baseAddress else {
          return left.count < right.count
        }
        let order = memcmp(first, second, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }

  /// Compares without regard to case, as for entity numbers and columns (docs/formats/core-data-sqlite.md 1.1).
  ///
  /// Names that differ only in case are compared by code points.
  public static func ignoringCase(_ left: String, _ right: String) -> Bool {
    let (lowerLeft, lowerRight) = (left.lowercased(), right.lowercased())
    return lowerLeft == lowerRight ? codePoints(left, right) : codePoints(lowerLeft, lowerRight)
  }
}
