internal import DecantPolicies
internal import Foundation

/// Puts the results of several stores into one order.
struct SortedObjects {
  private let order: [(path: String, ascending: Bool)]

  init(_ order: [(path: String, ascending: Bool)]) { self.order = order }

  /// All objects in order; objects with equal keys are in the order of the stores.
  func merged(_ lists: [[ManagedObject]]) -> [ManagedObject] {
    guard !order.isEmpty else { return lists.flatMap { $0 } }
    let keyed = lists.flatMap { $0 }.enumerated().map { place, object in
      (object: object, place: place, keys: order.map { object.value(forKeyPath: $0.path) })
    }
    return keyed.sorted { left, right in
      for (index, item) in order.enumerated() {
        let result = Self.compare(left.keys[index], right.keys[index])
        if result != .orderedSame { return (result == .orderedAscending) == item.ascending }
      }
      return left.place < right.place
    }.map(\.object)
  }

  /// Compares values as SQLite does: nil comes first, and texts and data are compared by bytes.
  private static func compare(_ left: Any?, _ right: Any?) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): return .orderedSame
    case (nil, _): return .orderedAscending
    case (_, nil): return .orderedDescending
    case (let a as NSNumber, let b as NSNumber): return a.compare(b)
    case (let a as Date, let b as Date): return a.compare(b)
    case (let a as ManagedObject, let b as ManagedObject):
      return order(a.objectID.key, b.objectID.key)
    case (let a as Data, let b as Data): return ValueOrder.bytes(a, b)
    default: return ValueOrder.bytes("\(left ?? "")".utf8, "\(right ?? "")".utf8)
    }
  }

  private static func order(_ left: Int64, _ right: Int64) -> ComparisonResult {
    left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
  }
}
