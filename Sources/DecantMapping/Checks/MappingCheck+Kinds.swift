internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  /// Kinds that can't be compared or calculated with, in everything that is evaluated.
  mutating func checkKinds(of entity: EntityMapping) {
    let plain = KindInference(source, source: entity.sourceEntityName, selfIsSource: false)
    let ofSource = KindInference(source, source: entity.sourceEntityName, selfIsSource: true)
    if let filter = entity.filter { checkKinds(ofSource, entity, "filter") { $0.look(at: filter) } }
    if let expression = entity.uniqueBy { checkKinds(plain, entity, "uniqueBy") { $0.look(at: expression) } }
    if case .predicates(let predicates) = entity.chunks {
      for (index, predicate) in predicates.enumerated() {
        checkKinds(ofSource, entity, "chunk \(index + 1)") { $0.look(at: predicate) }
      }
    }
    for row in entity.attributeMappings {
      guard case .expression(let expression) = row.value else { continue }
      checkKinds(plain, entity, property: row.destinationName) { $0.look(at: expression) }
    }
    for row in entity.relationshipMappings {
      guard case .expression(let expression) = row.value else { continue }
      checkKinds(plain, entity, property: row.destinationName) { $0.look(at: expression) }
    }
  }

  private mutating func checkKinds(
    _ kinds: KindInference, _ entity: EntityMapping, _ place: String? = nil, property: String? = nil,
    _ look: (inout KindCheck) -> Void
  ) {
    var check = KindCheck(kinds)
    look(&check)
    key = place.map(Self.key)
    defer { key = nil }
    for found in check.problems {
      // A policy may leave the row alone.
      let isLenient = property != nil && entity.policy != nil
      report(
        (place.map { "\($0): " } ?? "") + found.problem, found.advice, isLenient ? .warning : found.severity,
        in: entity, property: property)
    }
  }
}
