internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Finds values that some objects lose, because no entity mapping that takes such an object reads the attribute.
///
/// If all objects of an entity are taken, attributes that no entity mapping reads aren't found here. `UnreadProperties`
/// has these attributes.
package struct PartlyRead {
  private(set) var found = MappedLosses.Found()
  private let rows: TakenRows
  private let readers: SourceReaders
  private let known: InferredLossNames

  init(_ rows: TakenRows, _ models: [MappingModel], _ readers: SourceReaders) {
    self.rows = rows
    self.readers = readers
    known = InferredLossNames(models)
    for entity in source.entities where !entity.isAbstract && !rows.mappings(of: entity.name).isEmpty {
      addAttributes(of: entity)
    }
  }

  private var source: ManagedObjectModel { rows.plan.source.model }

  private mutating func addAttributes(of entity: Entity) {
    let mappings = rows.mappings(of: entity.name)
    var counts: [(item: LossQuestion.Item, sql: String)] = []
    for attribute in source.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.followsFromOthers
      && !known.drops(attribute.name, of: entity.name)
    {
      guard let readers = readers.readers(of: attribute.name, entity: entity.name),
        let column = rows.plan.source.attributeColumn(attribute.name, of: entity.name)
      else { continue }
      let item = LossQuestion.Item(
        kind: .attribute, entity: entity.name, property: attribute.name, cause: .unread)
      do throws(NotSet) {
        if case .sql(let lost) = try lost(of: mappings, isReading: { readers[$0.number] != nil }) {
          counts.append((item, "count(CASE WHEN \(lost) THEN s.\(quoted(column)) END)"))
        }
      } catch  where readers.isEmpty {
        // No entity mapping reads the attribute. So the number of all values is counted, as an upper bound.
        counts.append((item, "count(s.\(quoted(column)))"))
      } catch {
        found.uncounted.append(UncountedLoss(item: item, reason: "\(error)"))
      }
    }
    guard let first = mappings.first else { return }
    for start in stride(from: 0, to: counts.count, by: Self.mostColumns) {
      let part = counts[start..<min(start + Self.mostColumns, counts.count)]
      found.questions.append(
        LossQuestion(
          items: part.map(\.item),
          statement: "SELECT \(part.map(\.sql).joined(separator: ", ")) FROM source."
            + "\(quoted(first.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(first.sourceNumber)",
          mappings: mappings))
    }
  }

  private static let mostColumns = 50

  /// The condition that a row `s` is taken, but by no entity mapping that reads the attribute.
  private func lost(
    of mappings: [PassPlan.Mapping], isReading: (PassPlan.Mapping) -> Bool
  ) throws(NotSet) -> RowCondition {
    let reading = mappings.filter(isReading)
    let others = mappings.filter { !isReading($0) }
    // An entity mapping that reads the attribute and takes every row keeps all values.
    if others.isEmpty || reading.contains(where: { !$0.mapping.chooses }) { return .never }
    return .all([
      try rows.isTaken("s", byAnyOf: others), try rows.isTaken("s", byAnyOf: reading).negated,
    ])
  }
}
