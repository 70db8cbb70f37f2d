internal import DecantMapping
internal import DecantStore
internal import PredicateFormat

/// Source objects that fall through all entity mappings of their entity, because each of these chooses.
///
/// Where an entity mapping removes an entity, what the others don't take is meant to go.
struct FilterGaps {
  private let plan: PassPlan
  /// The entities of which every entity mapping has a filter or is unique by something, in the order of the mappings.
  private let entities: [(name: String, mappings: [PassPlan.Mapping])]

  init(_ plan: PassPlan, _ models: [MappingModel]) {
    self.plan = plan
    let all = models.flatMap(\.entityMappings)
    let removed = Set(all.filter { $0.destinationEntityName == nil }.compactMap(\.sourceEntityName))
    var entities: [(name: String, mappings: [PassPlan.Mapping])] = []
    for mapping in plan.mappings where !removed.contains(mapping.source) {
      if let place = entities.firstIndex(where: { $0.name == mapping.source }) {
        entities[place].mappings.append(mapping)
      } else {
        entities.append((mapping.source, [mapping]))
      }
    }
    self.entities = entities.filter { $0.mappings.allSatisfy(\.mapping.chooses) }
  }

  /// The entities whose gap can't be counted, with the reason: a filter that isn't SQL.
  var uncounted: [(entity: String, reason: String)] {
    entities.compactMap { entity in
      do throws(NotSet) {
        _ = try condition(entity.mappings)
        return nil
      } catch {
        return (entity.name, "\(error)")
      }
    }
  }

  /// How many objects of which entity aren't taken.
  ///
  /// - Parameter source: Opens the source, where it has to be looked at.
  /// - Throws: `StepFailure.expression`, `StepFailure.badValue`, `SQLiteError`.
  func count(in source: () throws -> PassSource) throws -> [(entity: String, rows: Int)] {
    let counted = entities.compactMap { entity in
      (try? condition(entity.mappings)).map { (entity.name, entity.mappings, $0) }
    }
    guard !counted.isEmpty else { return [] }
    let source = try source()
    return try counted.compactMap { name, mappings, condition in
      let rows = try source.count(condition, of: mappings, in: plan)
      return rows > 0 ? (name, rows) : nil
    }
  }

  private func condition(_ mappings: [PassPlan.Mapping]) throws(NotSet) -> String {
    var conditions: [String] = []
    for mapping in mappings { conditions.append(try CreateWork(plan, mapping).filtered() ?? "0") }
    return conditions.joined(separator: " AND ")
  }
}

extension EntityMapping {
  /// Whether it may leave objects of its source entity out.
  fileprivate var chooses: Bool { uniqueBy != nil || (filter ?? .always) != .always }
}
