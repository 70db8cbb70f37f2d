internal import DecantSQLite
package import Foundation

/// The values of an attribute with external storage whose data are in files (docs/formats/core-data-sqlite.md 7.2).
///
/// All counts use this rule: such a value is a blob of 38 bytes: `02`, the 36 characters of a UUID, and one more byte,
/// which Core Data sets to zero.
package enum ExternalReferences {
  /// A statement that gives the key and the file name of each value that is neither NULL nor inline.
  ///
  /// The name is NULL if the value isn't a blob of 38 bytes with the marker of a file. A third column says whether the
  /// value has that marker.
  ///
  /// - Parameter condition: A further condition, such as for the rows of one entity.
  package static func statement(_ column: String, in table: String, where condition: String = "1") -> String {
    let name = quoted(column)
    let marker = "typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = "
    return "SELECT Z_PK, CASE WHEN \(marker) x'02' AND length(\(name)) = 38 THEN substr(\(name), 2, 36) END, "
      + "\(marker) x'02' FROM \(quoted(table)) WHERE \(name) IS NOT NULL AND NOT (\(marker) x'01') AND \(condition)"
  }

  /// The name of a file; `nil` for a path or anything else that isn't a UUID.
  package static func fileName(_ bytes: Data) -> String? {
    let name = String(decoding: bytes, as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }

  /// The values of one attribute that don't name a valid file.
  package struct Malformed: Sendable, CustomStringConvertible {
    package let entity: String
    package let property: String
    package private(set) var count = 0
    /// The keys of the first three values.
    package private(set) var keys: [Int] = []

    package init(entity: String, property: String) {
      self.entity = entity
      self.property = property
    }

    package mutating func add(_ key: Int) {
      count += 1
      if keys.count < 3 { keys.append(key) }
    }

    /// `key 4`, or `keys 4, 7, 9, …`.
    package var keyText: String {
      (keys.count == 1 ? "key " : "keys ") + keys.map(String.init).joined(separator: ", ")
        + (count > keys.count ? ", …" : "")
    }

    package var description: String { "“\(entity).\(property)” (\(keyText))" }
  }
}
