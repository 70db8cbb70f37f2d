/// What is known of a type of attribute; `AttributeType.traits` has one row for each type.
package struct AttributeTraits: Sendable {
  /// The type's name in model files and the model editor.
  package let name: String
  /// What values are; `nil` if the type has none of its own, or none whose storage is known.
  package let content: AttributeContent?
  /// The column of a stored attribute: its place among the groups of columns, and its type
  /// (docs/formats/core-data-sqlite.md 2.4); `nil` for a type that was never seen in a store.
  package let column: (group: Int, type: String)?
  /// The type of an accessor in Swift.
  package let swiftType: String

  init(_ name: String, _ content: AttributeContent?, _ column: (group: Int, type: String)?, _ swiftType: String)
  {
    self.name = name
    self.content = content
    self.column = column
    self.swiftType = swiftType
  }
}

/// What the values of an attribute are: code that reads, writes or converts values asks for this, not for the type.
package enum AttributeContent: Sendable, Hashable {
  case boolean
  case integer(ClosedRange<Int64>)
  /// A floating-point number, of 32 bits if it is single.
  case real(isSingle: Bool)
  case decimal
  case string
  case url
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date
  case uuid
  /// Bytes, which only the application understands if a transformer made them.
  case data(isTransformed: Bool)
}
