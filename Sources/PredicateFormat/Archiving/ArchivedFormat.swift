public import KeyedArchive

/// The names and numbers of the archived form (docs/formats/predicate-format.md 5).
enum ArchivedFormat {
  /// The class constant whose methods are the functions of the language.
  static let functions = "_NSPredicateUtilities"

  static let operators: [(type: Int64, operation: ComparisonOperator)] = [
    (0, .less), (1, .lessOrEqual), (2, .greater), (3, .greaterOrEqual), (4, .equal), (5, .notEqual),
    (6, .matches),
    (7, .like), (8, .beginsWith), (9, .endsWith), (10, .in), (99, .contains), (100, .between),
  ]
}

extension Predicate {
  /// Reads an archived predicate; classes are matched by name, and an unknown class is refused.
  ///
  /// - Throws: `ArchiveError`, for example for an unknown class.
  public init(archive node: ArchiveNode) throws(ArchiveError) {
    var allowance = ArchiveAllowance()
    try self.init(archive: node, allowance: &allowance)
  }

  /// Reads an archived predicate, and subtracts the number of visited objects from `allowance`.
  public init(archive node: ArchiveNode, allowance: inout ArchiveAllowance) throws(ArchiveError) {
    var reader = ArchivedFormatReader(allowance: allowance)
    self = try reader.predicate(node)
    allowance = reader.allowance
  }

  /// The predicate as a keyed archive in the genuine layout.
  ///
  /// - Throws: `ArchivingError` for forms that no genuine archive has shown.
  public func archived() throws(ArchivingError) -> PropertyList {
    var writer = ArchivedFormatWriter()
    let root = try writer.add(self)
    return writer.list(root: root)
  }
}

extension Expression {
  /// Reads an archived expression; classes are matched by name, and an unknown class is refused.
  ///
  /// - Throws: `ArchiveError`, for example for an unknown class.
  public init(archive node: ArchiveNode) throws(ArchiveError) {
    var allowance = ArchiveAllowance()
    try self.init(archive: node, allowance: &allowance)
  }

  /// Reads an archived expression, and subtracts the number of visited objects from `allowance`.
  public init(archive node: ArchiveNode, allowance: inout ArchiveAllowance) throws(ArchiveError) {
    var reader = ArchivedFormatReader(allowance: allowance)
    self = try reader.expression(node)
    allowance = reader.allowance
  }

  /// The expression as a keyed archive in the genuine layout.
  ///
  /// - Throws: `ArchivingError` for forms that no genuine archive has shown.
  public func archived() throws(ArchivingError) -> PropertyList {
    var writer = ArchivedFormatWriter()
    let root = try writer.add(self)
    return writer.list(root: root)
  }
}
