/// A type or extension that a file declares.
struct TypeDeclaration {
  enum Kind { case type, enumeration, alias, addition }

  let kind: Kind
  /// The last component of the name.
  let name: String
  /// The name as it is written, with the types around it that it names itself.
  let written: String
  /// The last components of what follows the colon, or an alias's type.
  let inherited: [String]
  /// The token of the name.
  let token: Int
  /// The tokens within the braces.
  let body: Range<Int>
}
