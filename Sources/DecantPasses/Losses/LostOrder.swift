internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Finds ordered source relationships whose order no destination relationship keeps.
package struct LostOrder {
  private(set) var found = MappedLosses.Found()

  init(_ rows: TakenRows, _ models: [MappingModel], _ readers: SourceReaders) {
    let lost = InferredLossNames(models)
    let model = rows.plan.source.model
    for entity in model.entities where !rows.mappings(of: entity.name).isEmpty {
      for relationship in model.relationships(of: entity.name)
      where relationship.isOrdered && relationship.isToMany && !relationship.isTransient
        && !lost.drops(relationship.name, of: entity.name)
      {
        guard let uses = readers.readers(of: relationship.name, entity: entity.name),
          let storage = RelationshipStorage(of: relationship.name, entity: entity.name, in: rows.plan.source)
        else { continue }
        let targets = model.family(of: relationship.destinationEntityName).map(\.name).filter {
          !rows.mappings(of: $0).isEmpty
        }
        // If neither end is read, the pairs themselves are lost.
        let isRead =
          !uses.isEmpty
          || targets.contains { target in
            relationship.inverseName.map { readers.readers(of: $0, entity: target)?.isEmpty != true } ?? false
          }
        let mappings = rows.mappings(of: entity.name)
        let keeping = mappings.filter { Self.keepsOrder($0, uses[$0.number], rows.plan) }
        guard isRead, !targets.isEmpty, keeping.count < mappings.count,
          !keeping.contains(where: { !$0.mapping.chooses })
        else { continue }
        let item = LossQuestion.Item(
          kind: .relationship, entity: entity.name, property: relationship.name, cause: .order)
        do throws(NotSet) {
          let lost = RowCondition.all([
            try rows.isTaken("s", byAnyOf: mappings), try rows.isTaken("s", byAnyOf: keeping).negated,
          ])
          var taken: [RowCondition] = []
          for target in targets {
            let taking = rows.mappings(of: target)
            let number = "t.Z_ENT = \(taking[0].sourceNumber)"
            taken.append(.all([.sql(number), try rows.isTaken("t", byAnyOf: taking)]))
          }
          let table = rows.mappings(of: targets[0])[0].sourceTable.name
          found.questions.append(
            LossQuestion(
              items: [item],
              statement: "SELECT coalesce(sum(number), 0) FROM (SELECT count(*) AS number "
                + "FROM source.\(quoted(mappings[0].sourceTable.name)) AS s "
                + "JOIN source.\(quoted(storage.table)) AS p ON p.\(quoted(storage.owner)) = s.Z_PK "
                + "JOIN source.\(quoted(table)) AS t ON t.Z_PK = p.\(quoted(storage.target)) "
                + "WHERE s.Z_ENT = \(mappings[0].sourceNumber) AND \(lost.text) "
                + "AND \(RowCondition.any(taken).text) "
                + "GROUP BY s.Z_PK HAVING count(*) > 1)",
              mappings: mappings + targets.flatMap(rows.mappings)))
        } catch {
          found.uncounted.append(UncountedLoss(item: item, reason: "\(error)"))
        }
      }
    }
  }

  private static func keepsOrder(
    _ mapping: PassPlan.Mapping, _ use: SourceReaders.Use?, _ plan: PassPlan
  ) -> Bool {
    guard let use else { return false }
    if use.links.isEmpty { return true }
    return mapping.mapping.uniqueBy == nil
      && use.links.contains { link in
        let next = plan.destination.model.relationship(link.relationship, of: mapping.destination)
        // A to-one relationship has no order. Targets that it has no room for are counted as lost pairs.
        return next?.isOrdered == true || next?.isToMany == false
      }
  }
}
