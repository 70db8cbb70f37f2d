/// A named index of an entity (docs/formats/model-files.md 2.6).
public struct FetchIndex: Sendable, Hashable {
  /// One part of an index.
  public struct Element: Sendable, Hashable {
    /// The kind of index: SQLite's ordinary index, or an R-tree.
    public enum Kind: Sendable, Hashable {
      case binary
      case rTree
    }

    /// The name of an attribute or to-one relationship, or an expression's text.
    public var property: String
    public var kind: Kind
    public var isAscending: Bool

    public init(property: String, kind: Kind = .binary, isAscending: Bool = true) {
      self.property = property
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  public var name: String
  public var elements: [Element]
  /// A predicate in format text: only rows that satisfy it are in the index; `nil` for an index of all rows.
  public var partialIndexPredicate: String?

  public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}
