/// The known facts about a type of attribute; `AttributeType.traits` has one row for each type.
package struct AttributeTraits: Sendable {
  /// The type's name in model files and the model editor.
  package let name: String
  /// The kind of the values; `nil` if the type has no values of its own, or if their storage isn't known.
  package let content: AttributeContent?
  /// The column of a stored attribute: its place among the groups of columns, and its type
  /// (docs/formats/core-data-sqlite.md 2.4).
  ///
  /// It is `nil` for a type without a column of its own, and for a type that was never seen in a store.
  package let column: (group: Int, type: String)?
  /// The type of the attribute's accessor in Swift.
  package let swiftType: String

  init(_ name: String, _ content: AttributeContent?, _ column: (group: Int, type: String)?, _ swiftType: String)
  {
    self.name = name
    self.content = content
    self.column = column
    self.swiftType = swiftType
  }
}

/// The kind of an attribute's values; code that reads, writes or converts values uses it instead of the type.
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
