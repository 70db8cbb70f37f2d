public import DecantModel

/// Compares two forms of one model, value by value.
public struct ModelComparison {
  public private(set) var pairs = 0
  public private(set) var entities = 0
  public private(set) var attributes = 0
  public private(set) var relationships = 0
  /// The differences, such as `Note.title isOptional: true, false`.
  public private(set) var differences: [String] = []

  public init() {}

  /// The numbers of compared pairs of models, entities, attributes and relationships.
  public var counts: [Int] { [pairs, entities, attributes, relationships] }
  public var summary: String {
    "\(pairs) pairs, \(entities) entities, \(attributes) attributes, \(relationships) relationships"
  }

  /// Compares two models.
  ///
  /// `adapt` removes values from each entity that one of the forms can't hold.
  public mutating func compare(
    _ left: ManagedObjectModel, _ right: ManagedObjectModel, adapt: (inout Entity) -> Void = { _ in }
  ) {
    pairs += 1
    note(left.versionIdentifiers, right.versionIdentifiers, "version identifiers")
    note(left.configurations, right.configurations, "configurations")
    note(left.fetchRequests, right.fetchRequests, "fetch requests")
    note(left.entities.map(\.name), right.entities.map(\.name), "entities")
    for (first, second) in zip(left.entities, right.entities) {
      var (one, two) = (first, second)
      adapt(&one)
      adapt(&two)
      // Only a store's own model lists all of its indexes.
      (one.listedIndexes, two.listedIndexes) = (nil, nil)
      entities += 1
      attributes += one.attributes.count
      relationships += one.relationships.count
      guard one != two else { continue }
      for (a, b) in zip(one.attributes, two.attributes) { note(a, b, "\(one.name).\(a.name)") }
      for (a, b) in zip(one.relationships, two.relationships) { note(a, b, "\(one.name).\(a.name)") }
      (one.attributes, two.attributes, one.relationships, two.relationships) = ([], [], [], [])
      note(one, two, one.name)
    }
  }

  /// Adds the counts of another comparison.
  public mutating func add(_ other: ModelComparison) {
    pairs += other.pairs
    entities += other.entities
    attributes += other.attributes
    relationships += other.relationships
    differences += other.differences
  }

  private mutating func note<Value: Equatable>(_ left: Value, _ right: Value, _ place: String) {
    guard left != right else { return }
    let fields = zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
      .filter { $0.label != nil && "\($0.value)" != "\($1.value)" }
      .map { "\($0.label ?? ""): \($0.value), \($1.value)" }
    differences.append("\(place) \(fields.isEmpty ? "\(left), \(right)" : fields.joined(separator: "; "))")
  }
}
