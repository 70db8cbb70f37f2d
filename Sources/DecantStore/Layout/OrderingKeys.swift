/// The keys by which Core Data orders the objects of an ordered relationship.
///
/// In a new ordered set, element n, counted from 0, has the key 2048 + 1024 n (docs/formats/core-data-sqlite.md 7.3).
package enum OrderingKeys {
  /// The distance between the keys of two neighbours.
  package static let step: Int64 = 1024
  /// The number that is one step below the key of the first element.
  package static let beforeFirst: Int64 = 1024

  /// The key of an element, counted from 0.
  package static func key(at place: Int) -> Int64 { beforeFirst + step * (Int64(place) + 1) }

  /// SQL for the key of an element.
  ///
  /// - Parameters:
  ///   - number: SQL for the element's number, counted from 1.
  ///   - last: SQL for the key after which the numbered elements are put: the last key so far, or `beforeFirst`.
  package static func key(number: String, after last: String = "\(beforeFirst)") -> String {
    "\(last) + \(step) * \(number)"
  }
}
