package import DecantMapping
internal import DecantStore
internal import PredicateFormat

/// Source objects that no entity mapping takes, because each entity mapping of their entity has a filter or `uniqueBy`.
///
/// If an entity mapping removes an entity, the objects that no other entity mapping takes are removed on purpose.
package struct FilterGaps {
  private let plan: PassPlan
  /// The entities whose entity mappings all have a filter or `uniqueBy`, in the order of the mappings.
  private let entities: [(name: String, mappings: [PassPlan.Mapping])]
  /// The entities whose objects are removed on purpose if no other entity mapping takes them.
  private let removed: Set<String>

  package init(_ plan: PassPlan, _ models: [MappingModel]) {
    self.plan = plan
    let all = models.flatMap(\.entityMappings)
    removed = Set(all.filter { $0.destinationEntityName == nil }.compactMap(\.sourceEntityName))
    var entities: [(name: String, mappings: [PassPlan.Mapping])] = []
    for mapping in plan.mappings {
      if let place = entities.firstIndex(where: { $0.name == mapping.source }) {
        entities[place].mappings.append(mapping)
      } else {
        entities.append((mapping.source, [mapping]))
      }
    }
    self.entities = entities.filter { $0.mappings.allSatisfy(\.mapping.chooses) }
  }

  /// The entities whose untaken objects can't be counted, because a filter or `uniqueBy` isn't SQL.
  ///
  /// No entity mapping takes these objects. `isRemoved` says whether they are removed on purpose.
  package var uncounted: [(entity: String, reason: String, isRemoved: Bool)] {
    entities.compactMap { entity in
      do throws(NotSet) {
        _ = try condition(entity.mappings)
        return nil
      } catch {
        return (entity.name, "\(error)", removed.contains(entity.name))
      }
    }
  }

  /// For each entity with objects that no entity mapping takes: their number, and whether they are removed on purpose.
  ///
  /// - Parameter source: Opens the source. Called only if the source must be read.
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  package func count(in source: () throws -> PassSource) throws -> [(
    entity: String, rows: Int, isRemoved: Bool
  )] {
    let counted = entities.compactMap { entity in
      (try? condition(entity.mappings)).map { (entity.name, entity.mappings, $0) }
    }
    guard !counted.isEmpty else { return [] }
    let source = try source()
    return try counted.compactMap { name, mappings, condition in
      let rows = try source.count(condition, of: mappings, in: plan)
      return rows > 0 ? (name, rows, removed.contains(name)) : nil
    }
  }

  private func condition(_ mappings: [PassPlan.Mapping]) throws(NotSet) -> String {
    var conditions: [String] = []
    for mapping in mappings { conditions.append(try CreateWork(plan, mapping).filtered() ?? "0") }
    return conditions.joined(separator: " AND ")
  }
}
