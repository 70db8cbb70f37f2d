internal import DecantExpressions
internal import DecantMapping
internal import PredicateFormat

/// What the expression of a relationship mapping asks for (docs/formats/mapping-models.md 3.3 and 4.2).
enum RelationshipExpression: Hashable {
  /// Nothing: the relationship is emptied.
  case empty
  /// What the mapping of that name has made of the source objects at the end of the path.
  case mapping(String, path: [String])
  /// What any mapping has made of them.
  case anyMapping(path: [String])

  /// The relationships that lead to the source objects.
  var path: [String] {
    switch self {
    case .empty: []
    case .mapping(_, let path), .anyMapping(let path): path
    }
  }

  /// What a relationship mapping asks for; `nil` where it sets nothing.
  ///
  /// - Throws: `NotSQL` for an expression of another shape.
  init?(of row: RelationshipMapping) throws(NotSQL) {
    switch row.value {
    case .unset: return nil
    case .source(let name): self = .anyMapping(path: [name])
    case .expression(let expression): try self.init(expression)
    }
  }

  /// - Throws: `NotSQL` for an expression of another shape.
  init(_ expression: FormatExpression) throws(NotSQL) {
    if expression == .constant(.null) {
      self = .empty
      return
    }
    guard let lookup = DestinationLookup(expression) else {
      throw NotSQL("it is no look-up of destination instances")
    }
    let path = try Self.path(lookup.sources)
    switch lookup.kind {
    case .entityMapping(let name): self = .mapping(name, path: path)
    case .sourceRelationship: self = .anyMapping(path: path)
    }
  }

  /// The relationships of a path from `$source`; the distinct unions of sets and arrays are those of the path itself.
  private static func path(_ expression: FormatExpression) throws(NotSQL) -> [String] {
    if expression == .variable("source") { return [] }
    guard case .keyPath(let path) = expression, path.operand == .variable("source") else {
      throw NotSQL("its source objects are no path from $source")
    }
    var names: [String] = []
    for step in path.steps {
      switch step {
      case .key(let name): names.append(name)
      case .collection(.distinctUnionOfSets), .collection(.distinctUnionOfArrays),
        .collection(.distinctUnionOfObjects):
        continue
      default: throw NotSQL("its path has a step that is no relationship")
      }
    }
    return names
  }
}
