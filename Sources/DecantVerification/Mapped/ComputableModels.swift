internal import DecantMapping
internal import DecantPasses
internal import DecantStore
internal import PredicateFormat

/// The mapping models of a step without the properties that a comparison can't compute.
///
/// These are properties whose expression calls unavailable code of a worker, and relationships whose expression isn't a
/// look-up of destination instances.
struct ComputableModels {
  let models: [MappingModel]
  /// The properties left out of entity mappings without a policy, with the number of these mappings.
  private(set) var left: [StoreLayout.Property: Int] = [:]
  /// The properties left out of entity mappings with a policy.
  private(set) var leftToPolicies: Set<StoreLayout.Property> = []

  /// - Parameter policies: The numbers of the entity mappings with a policy.
  init(_ models: [MappingModel], into layout: StoreLayout, code: WorkerCode, policies: Set<Int>) {
    var left: [StoreLayout.Property: Int] = [:]
    var leftToPolicies: Set<StoreLayout.Property> = []
    var number = 0
    self.models = models.map { model in
      var model = model
      for index in model.entityMappings.indices {
        number += 1
        let isByPolicy = policies.contains(number)
        let names = Self.names(in: model.entityMappings[index], into: layout, code: code)
        guard let entity = model.entityMappings[index].destinationEntityName, !names.isEmpty else { continue }
        for name in names {
          let property = StoreLayout.Property(entity: entity, name: name)
          if isByPolicy { leftToPolicies.insert(property) } else { left[property, default: 0] += 1 }
        }
        model.entityMappings[index].attributeMappings.removeAll { names.contains($0.destinationName) }
        model.entityMappings[index].relationshipMappings.removeAll { names.contains($0.destinationName) }
      }
      return model
    }
    self.left = left
    self.leftToPolicies = leftToPolicies
  }

  private static func names(
    in mapping: EntityMapping, into layout: StoreLayout, code: WorkerCode
  ) -> Set<String> {
    guard let entity = mapping.destinationEntityName else { return [] }
    var names: Set<String> = []
    for row in mapping.attributeMappings {
      guard case .expression(let expression) = row.value, code.isMissing(expression),
        let attribute = layout.model.attribute(row.destinationName, of: entity),
        !attribute.isTransient, !attribute.isDerived
      else { continue }
      names.insert(row.destinationName)
    }
    for row in mapping.relationshipMappings {
      guard case .expression(let expression) = row.value, expression != .constant(.null),
        DestinationLookup(expression) == nil || code.isMissing(expression),
        RelationshipStorage(of: row.destinationName, entity: entity, in: layout) != nil
      else { continue }
      names.insert(row.destinationName)
    }
    return names
  }
}
