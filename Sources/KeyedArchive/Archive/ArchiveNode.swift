/// A reference to one object of an archive, or a plain value inside one.
///
/// A reference is resolved when it is read. A missing key and the value nil both give nil.
public struct ArchiveNode: Sendable {
  let archive: Archive
  let value: PropertyList
  /// The index in the archive's table, which identifies an object; `nil` for a plain value.
  public let number: Int?

  /// The name of the object's class, as text; `nil` for a plain text, number, date or data.
  public var className: String? {
    guard let reference = value["$class"], let entry = try? archive.node(reference) else { return nil }
    return entry.value["$classname"]?.string
  }

  /// The names of the object's class and its superclasses, as texts.
  public var classNames: [String] {
    guard let reference = value["$class"], let entry = try? archive.node(reference) else { return [] }
    return entry.value["$classes"]?.array?.compactMap(\.string) ?? []
  }

  /// The plain text, number, truth value, date or data; `nil` for an object of a class, and for a plain list.
  public var plain: PropertyList? {
    switch value {
    case .array, .dictionary, .uid, .null: nil
    default: value
    }
  }

  /// The kind of the node, for a message.
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

  /// Whether the object has that key, even with the value nil.
  public func has(_ key: String) -> Bool { value[key] != nil }

  /// The object of that key; `nil` if the key is missing or its value is nil.
  ///
  /// - Throws: `ArchiveError.badReference` if the key refers to an object that the archive doesn't have.
  public func member(_ key: String) throws(ArchiveError) -> ArchiveNode? {
    guard let member = value[key] else { return nil }
    return try archive.node(member)
  }

  /// The object of that key, which must be of one of these classes; `nil` if the key is missing or its value is nil.
  ///
  /// - Throws: `ArchiveError.wrongKind` for an object of another class.
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
