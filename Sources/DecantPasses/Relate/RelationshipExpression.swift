package import DecantExpressions
package import DecantMapping
internal import PredicateFormat

/// The targets that the expression of a relationship mapping selects (docs/formats/mapping-models.md 3.3 and 4.2).
package enum RelationshipExpression: Hashable {
  /// None: the relationship is emptied.
  case empty
  /// The objects that the entity mapping with this name made from the source objects at the end of the path.
  case mapping(String, path: [String])
  /// The objects that all entity mappings made from the source objects at the end of the path.
  case anyMapping(path: [String])

  /// The relationships that lead to the source objects.
  var path: [String] {
    switch self {
    case .empty: []
    case .mapping(_, let path), .anyMapping(let path): path
    }
  }

  /// The targets of a relationship mapping; `nil` if the relationship mapping sets nothing.
  ///
  /// - Throws: `NotSQL` for an expression of another form.
  package init?(of row: RelationshipMapping) throws(NotSQL) {
    switch row.value {
    case .unset: return nil
    case .source(let name): self = .anyMapping(path: [name])
    case .expression(let expression): try self.init(expression)
    }
  }

  /// - Throws: `NotSQL` for an expression of another form.
  private init(_ expression: FormatExpression) throws(NotSQL) {
    if expression == .constant(.null) {
      self = .empty
      return
    }
    guard let lookup = DestinationLookup(expression) else {
      throw NotSQL("it isn't a look-up of destination instances")
    }
    let path = try Self.path(lookup.sources)
    switch lookup.kind {
    case .entityMapping(let name): self = .mapping(name, path: path)
    case .sourceRelationship: self = .anyMapping(path: path)
    }
  }

  /// The relationships of a path from `$source`.
  ///
  /// Steps such as `@distinctUnionOfSets` are left out, because the path without them leads to the same objects.
  private static func path(_ expression: FormatExpression) throws(NotSQL) -> [String] {
    if expression == .variable("source") { return [] }
    guard case .keyPath(let path) = expression, path.operand == .variable("source") else {
      throw NotSQL("its source objects aren't given by a path from $source")
    }
    var names: [String] = []
    for step in path.steps {
      switch step {
      case .key(let name): names.append(name)
      case .collection(.distinctUnionOfSets), .collection(.distinctUnionOfArrays),
        .collection(.distinctUnionOfObjects):
        continue
      default: throw NotSQL("its path has a step that isn't a relationship")
      }
    }
    return names
  }
}
