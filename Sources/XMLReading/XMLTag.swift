/// A start tag.
package struct XMLTag: Hashable, Sendable {
  /// One attribute of the tag.
  package struct Attribute: Hashable, Sendable {
    package let name: String
    /// The value; references are resolved, and each white-space character of the file is replaced by a space.
    package let value: String
  }

  package let name: String
  /// The line where the tag begins, from 1.
  package let line: Int
  /// The attributes in file order.
  ///
  /// Names are unique.
  package internal(set) var attributes: [Attribute] = []

  /// The value of the attribute of that name; `nil` if the tag doesn't have it.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
