/// A handle on one object of an archive, or on a plain value inside one.
///
/// Nothing is resolved before it is asked for; a key that isn't there and a nil are the same.
public struct ArchiveNode: Sendable {
  let archive: Archive
  let value: PropertyList
  /// The place in the archive's table, which tells one object from another; `nil` for a plain value in place.
  public let number: Int?

  /// The name of the object's class, as text; `nil` for a plain text, number, date or data.
  public var className: String? {
    guard let reference = value["$class"], let entry = try? archive.node(reference) else { return nil }
    return entry.value["$classname"]?.string
  }

  /// The plain text, number, date or data that this is; `nil` for an object of a class.
  public var plain: PropertyList? {
    switch value {
    case .array, .dictionary, .uid, .null: nil
    default: value
    }
  }

  /// What this is, for a message.
  public var kind: String {
    switch value {
    case .boolean: "a truth value"
    case .integer, .unsigned, .real, .single: "a number"
    case .date: "a date"
    case .data: "data"
    case .string: "text"
    case .array: "a plain list"
    case .dictionary: className.map { "an object of class “\($0)”" } ?? "an object without a class"
    case .uid, .null: "a stray reference"
    }
  }

  /// Whether the object has that key, be its value nil or not.
  public func has(_ key: String) -> Bool { value[key] != nil }

  /// The object of that key; `nil` where there is no such key, or its value is nil.
  ///
  /// - Throws: `ArchiveError.badReference` where the key leads out of the table.
  public func member(_ key: String) throws(ArchiveError) -> ArchiveNode? {
    guard let member = value[key] else { return nil }
    return try archive.node(member)
  }

  /// The object of that key, which has to be of one of these classes.
  public func object(
    _ key: String, of classes: String...
  ) throws(ArchiveError) -> ArchiveNode? {
    guard let member = try member(key) else { return nil }
    guard let name = member.className, classes.contains(name) else {
      throw wrong(member, key: key, expected: "an object of class \(classes.joined(separator: " or "))")
    }
    return member
  }

  func wrong(_ member: ArchiveNode, key: String, expected: String) -> ArchiveError {
    .wrongKind(className: className ?? "object", key: key, found: member.kind, expected: expected)
  }
}
