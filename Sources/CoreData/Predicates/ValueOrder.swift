internal import Foundation

/// The order of values when objects are sorted in memory.
enum ValueOrder {
  /// nil counts as less than any value; if `ascending` is false, the result is reversed.
  static func compare(_ left: Any?, _ right: Any?, ascending: Bool) -> ComparisonResult {
    switch order(left, right) {
    case .orderedSame: .orderedSame
    case .orderedAscending: ascending ? .orderedAscending : .orderedDescending
    case .orderedDescending: ascending ? .orderedDescending : .orderedAscending
    }
  }

  /// Compares bytes as SQLite does.
  static func bytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> ComparisonResult {
    if left.elementsEqual(right) { return .orderedSame }
    return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
  }

  private static func order(_ left: Any?, _ right: Any?) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let a as NSNumber, let b as NSNumber): a.compare(b)
    case (let a as Date, let b as Date): a.compare(b)
    case (let a as String, let b as String): a.compare(b)
    case (let a as Data, let b as Data): bytes(a, b)
    default: "\(left ?? "")".compare("\(right ?? "")")
    }
  }
}
