internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// Finds the store's entities and properties from which the entities and properties of later versions come.
///
/// A step is given by its index. Names belong to the step's source version. So an index equal to the number of steps
/// means the last destination.
struct StoreOrigins {
  /// A relationship of the store; `isReversed` means that its pairs are read from the other end.
  struct Pairs: Hashable {
    var entity: String
    var name: String
    var isReversed = false
  }

  let steps: [PlannedStep]

  /// The entity of the store from which an entity comes; `nil` if there is no such entity in the store.
  func entity(_ entity: String, step: Int) -> String? {
    guard step > 0 else { return entity }
    return mapping(into: entity, step: step)?.sourceEntityName.flatMap { self.entity($0, step: step - 1) }
  }

  func attribute(_ name: String, of entity: String, step: Int) -> String? {
    guard step > 0 else { return name }
    guard let mapping = mapping(into: entity, step: step), let source = mapping.sourceEntityName else {
      return nil
    }
    switch mapping.attributeMappings.first(where: { $0.destinationName == name })?.value {
    case .source(let former), .sourceOrDefault(let former):
      return attribute(former, of: source, step: step - 1)
    case .defaultValue, .derived, .expression, .unset, nil: return nil
    }
  }

  func relationship(_ name: String, of entity: String, step: Int) -> String? {
    guard step > 0 else { return name }
    guard let mapping = mapping(into: entity, step: step), let source = mapping.sourceEntityName,
      let former = mapping.sourceRelationship(of: name)
    else { return nil }
    return relationship(former, of: source, step: step - 1)
  }

  /// The store's pairs of a relationship, even if a step took the pairs from the inverse; `nil` if there are none.
  func pairs(of name: String, entity: String, step: Int) -> Pairs? {
    guard step > 0 else { return Pairs(entity: entity, name: name) }
    if let found = own(name, entity, step) { return found }
    let model = steps[step - 1].destination.model
    guard let inverse = model.inverse(of: .init(entity: entity, name: name)) else { return nil }
    for candidate in model.family(of: inverse.entity) {
      guard var found = own(inverse.name, candidate.name, step) else { continue }
      found.isReversed.toggle()
      return found
    }
    return nil
  }

  private func own(_ name: String, _ entity: String, _ step: Int) -> Pairs? {
    guard let mapping = mapping(into: entity, step: step), let source = mapping.sourceEntityName,
      let former = mapping.sourceRelationship(of: name)
    else { return nil }
    return pairs(of: former, entity: source, step: step - 1)
  }

  private func mapping(into entity: String, step: Int) -> EntityMapping? {
    steps[step - 1].mappingModels.flatMap(\.entityMappings).first { $0.destinationEntityName == entity }
  }
}
