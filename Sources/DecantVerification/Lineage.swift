internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantStore

/// What each entity, attribute and relationship of the last step's model was in the source model.
struct Lineage {
  /// A source entity whose objects are kept, and their destination entity.
  package struct Pair: Hashable {
    let source: String
    let destination: String
  }

  /// From what an attribute gets its values.
  enum Origin {
    /// A source attribute.
    ///
    /// `fallback` is the default that replaced nil in a step. `isExternal` has the storage setting in the source and
    /// after each step.
    case source(String, fallback: AttributeValue?, isExternal: [Bool])
    /// A default from one of the steps.
    case constant(AttributeValue?)
    /// Core Data computes the values.
    case derived
    /// The mapping models don't determine the values.
    case unmapped
  }

  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let isOneVersion: Bool
  private let steps: [Verification.Step]
  /// The entity mappings, by step and by destination entity.
  private let mappings: [[String: EntityMapping]]

  /// The lineage for a comparison with an expected store, which has the same model.
  init(of model: ManagedObjectModel) {
    (source, destination, isOneVersion, steps, mappings) = (model, model, false, [], [])
  }

  init(from source: ManagedObjectModel, steps: [Verification.Step]) {
    self.source = source
    self.steps = steps
    destination = steps.last?.model ?? source
    isOneVersion = steps.isEmpty
    mappings = steps.map { step in
      Dictionary(
        step.mapping.entityMappings.compactMap { mapping in mapping.destinationEntityName.map { ($0, mapping) }
        },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// The source entity of a destination entity's objects; `nil` for an entity that gets no source objects.
  func sourceEntity(of destination: String) -> String? {
    let start: String? = self.destination.entity(named: destination)?.isAbstract == false ? destination : nil
    let found = mappings.reversed().reduce(start) { entity, step in
      entity.flatMap { step[$0]?.sourceEntityName }
    }
    return found.flatMap { source.entity(named: $0)?.isAbstract == false ? $0 : nil }
  }

  /// The entities whose objects are kept, in the destination's order.
  var pairs: [Pair] {
    destination.entities.compactMap { entity in
      sourceEntity(of: entity.name).map { Pair(source: $0, destination: entity.name) }
    }
  }

  func attribute(_ name: String, of entity: String) -> Origin {
    attribute(name, of: entity, after: steps.count)
  }

  private func attribute(_ name: String, of entity: String, after count: Int) -> Origin {
    guard count > 0 else {
      let attribute = source.attribute(name, of: entity)
      if steps.isEmpty, !isOneVersion, attribute?.isDerived == true { return .derived }
      let isExternal = attribute?.allowsExternalBinaryDataStorage ?? false
      return .source(name, fallback: nil, isExternal: [isExternal])
    }
    guard let mapping = mappings[count - 1][entity], let from = mapping.sourceEntityName,
      let row = mapping.attributeMappings.first(where: { $0.destinationName == name }),
      let attribute = steps[count - 1].model.attribute(name, of: entity)
    else { return .unmapped }
    func continued(_ former: String, default value: AttributeValue?) -> Origin {
      switch self.attribute(former, of: from, after: count - 1) {
      case .source(let first, let fallback, let isExternal):
        .source(
          first, fallback: fallback ?? value,
          isExternal: isExternal + [attribute.allowsExternalBinaryDataStorage])
      case .constant(let constant): .constant(constant ?? value)
      case .derived: .derived
      case .unmapped: .unmapped
      }
    }
    switch row.value {
    case .source(let former): return continued(former, default: nil)
    case .sourceOrDefault(let former): return continued(former, default: attribute.defaultValue)
    case .defaultValue: return .constant(attribute.defaultValue)
    case .derived: return .derived
    // Inferred mapping models have no expressions.
    case .expression, .unset: return .unmapped
    }
  }

  /// Two relationships that a step joined, with the names in that step's destination.
  package struct Union {
    let one: StoreLayout.Property
    let two: StoreLayout.Property
    let isToMany: Bool
    let otherIsToMany: Bool
    /// The relationship of the source model that `two` continues.
    let other: StoreLayout.Property
  }

  /// The union of a relationship and its inverse; `nil` if they don't continue two relationships without inverse.
  func union(_ property: StoreLayout.Property) -> Union? {
    for entity in destination.family(of: property.entity) {
      if let union = union((entity.name, property.name)) { return union }
    }
    return nil
  }

  private typealias Place = (entity: String, name: String)

  private func union(_ last: Place) -> Union? {
    var place = last
    for index in steps.indices.reversed() {
      guard let old = former(place, step: index) else { return nil }
      if let union = union(place, from: old, step: index) { return union }
      place = old
    }
    return nil
  }

  /// The union that a step makes: two relationships without inverse become inverses of each other.
  private func union(_ place: Place, from old: Place, step: Int) -> Union? {
    let model = steps[step].model
    let before = step > 0 ? steps[step - 1].model : source
    guard let relationship = model.relationship(place.name, of: place.entity),
      let inverse = model.inverse(of: relationship), before.hasOpenRelationship(old.name, of: old.entity)
    else { return nil }
    for entity in model.family(of: inverse.entity.name) {
      guard let other = former((entity.name, inverse.relationship.name), step: step),
        before.hasOpenRelationship(other.name, of: other.entity),
        declared(other, before) != declared(old, before), let first = origin(of: other, after: step)
      else { continue }
      return Union(
        one: declared(place, model), two: declared((inverse.entity.name, inverse.relationship.name), model),
        isToMany: relationship.isToMany, otherIsToMany: inverse.relationship.isToMany,
        other: .init(entity: first.entity, name: first.name))
    }
    return nil
  }

  /// The source relationship that a relationship continues, in the model after `count` steps; `nil` if the relationship
  /// starts empty.
  private func origin(of place: Place, after count: Int) -> Place? {
    var place = place
    for step in (0..<count).reversed() {
      guard let old = former(place, step: step) else { return nil }
      place = old
    }
    return place
  }

  private func former(_ place: Place, step: Int) -> Place? {
    guard let mapping = mappings[step][place.entity], let from = mapping.sourceEntityName,
      let name = mapping.sourceRelationship(of: place.name)
    else { return nil }
    return (from, name)
  }

  private func declared(_ place: Place, _ model: ManagedObjectModel) -> StoreLayout.Property {
    model.topmost(.init(entity: place.entity, name: place.name))
  }

  /// The source relationship that a destination relationship continues; `nil` if the destination relationship starts
  /// empty.
  func relationship(_ name: String, of entity: String) -> String? {
    var (name, entity) = (name, entity)
    for step in mappings.reversed() {
      guard let mapping = step[entity], let from = mapping.sourceEntityName,
        let former = mapping.sourceRelationship(of: name)
      else { return nil }
      (name, entity) = (former, from)
    }
    return source.relationship(name, of: entity) == nil ? nil : name
  }
}
