/// A type or extension that a file declares.
struct TypeDeclaration {
  /// The kind of declaration; `addition` is an extension.
  enum Kind { case type, enumeration, alias, addition }

  let kind: Kind
  /// The last component of the name.
  let name: String
  /// The name as it is written in the declaration, such as `Migrations.NotaPolicy` in an extension.
  let written: String
  /// The last components of the names after the colon, or of the type that an alias stands for.
  let inherited: [String]
  /// The token of the name.
  let token: Int
  /// The tokens within the braces; empty for an alias.
  let body: Range<Int>
}
