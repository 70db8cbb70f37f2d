public import Foundation

/// The values of an attribute with external storage that don't hold their data themselves (core-data-sqlite.md 7).
///
/// One rule for all who count them: such a value is a blob of `02`, the 36 characters of a UUID, and a zero byte.
public enum ExternalReferences {
  /// A statement that gives key and name of each value but nil and those that hold their data: `nil` for a name that
  /// isn't where it belongs, and whether the value has the marker of a file.
  ///
  /// - Parameter condition: A further one, such as for the rows of one entity.
  public static func statement(_ column: String, in table: String, where condition: String = "1") -> String {
    let name = quoted(column)
    let marker = "typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = "
    return "SELECT Z_PK, CASE WHEN \(marker) x'02' AND length(\(name)) = 38 THEN substr(\(name), 2, 36) END, "
      + "\(marker) x'02' FROM \(quoted(table)) WHERE \(name) IS NOT NULL AND NOT (\(marker) x'01') AND \(condition)"
  }

  /// The name of a file; `nil` for a path, or anything else that is no UUID.
  public static func fileName(_ bytes: Data) -> String? {
    let name = String(decoding: bytes, as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }

  /// The values of one attribute that name no proper file.
  public struct Malformed: Sendable, CustomStringConvertible {
    public let entity: String
    public let property: String
    public private(set) var count = 0
    /// The keys of the first three.
    public private(set) var keys: [Int] = []

    public init(entity: String, property: String) {
      self.entity = entity
      self.property = property
    }

    public mutating func add(_ key: Int) {
      count += 1
      if keys.count < 3 { keys.append(key) }
    }

    /// `key 4`, or `keys 4, 7, 9, …`.
    public var keyText: String {
      (keys.count == 1 ? "key " : "keys ") + keys.map(String.init).joined(separator: ", ")
        + (count > keys.count ? ", …" : "")
    }

    public var description: String { "“\(entity).\(property)” (\(keyText))" }
  }
}
