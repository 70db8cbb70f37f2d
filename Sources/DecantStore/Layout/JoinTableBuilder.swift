internal import DecantModel

/// Builds the tables of many-to-many relationships (docs/formats/core-data-sqlite.md 4).
struct JoinTableBuilder {
  private let model: ManagedObjectModel
  private let numbers: [String: Int]
  private let evidence: SchemaEvidence?
  private let naming: JoinNaming
  private(set) var unsettled: [StoreLayout.Unsettled] = []

  init(model: ManagedObjectModel, numbers: [String: Int], evidence: SchemaEvidence?) {
    self.model = model
    self.numbers = numbers
    self.evidence = evidence
    naming = JoinNaming(model: model, reading: .likely)
  }

  mutating func joinTables() -> [StoreLayout.JoinTable] {
    let open = openEnds()
    let tables = naming.pairs.map { pair in
      if let settled = settledTable(pair) { return settled }
      for end in pair.ends {
        for question in open[end.property] ?? [] { note(end, question, isToldByTables: true) }
      }
      noteOddities(pair)
      return table(naming: pair.naming, inverse: pair.inverse, columns: [:])
    }
    return inCreationOrder(tables)
  }

  // MARK: Open points

  private mutating func noteOddities(_ pair: JoinNaming.Pair) {
    let (one, other) = (pair.naming, pair.inverse)
    if one.property == other.property {
      note(
        one, "how the join table of a relationship that is its own inverse is laid out", canBeSettled: false)
    } else if model.inverse(of: other.property) != one.property {
      note(
        one, "which join table it has, because its inverse “\(other.property)” names another inverse",
        isToldByTables: true)
    }
    for end in pair.ends {
      guard let parent = end.entity.superentityName,
        model.declaringEntity(of: end.relationship.name, in: parent) != nil
      else { continue }
      note(end, "whether a relationship that its parent entity also declares has a join table of its own")
    }
  }

  /// The open points of docs/formats/core-data-sqlite.md 4.3, 4.4 about the names of ends.
  private func openEnds() -> [StoreLayout.Property: [String]] {
    var open: [StoreLayout.Property: [String]] = [:]
    let bases = Set(naming.groups.values.compactMap { $0.first.map(baseLabel) })
    for ends in naming.groups.values {
      let label = ends.first.map(baseLabel) ?? ""
      let isTaken = (1..<ends.count).contains { bases.contains(label + String($0)) }
      guard isTaken || Set(ends.map(\.relationship.name)).count > 1 else { continue }
      for end in ends {
        open[end.property, default: []].append(
          "the name of its column, where other columns are named like “\(label)”")
      }
    }
    guard !naming.openEntities.isEmpty else { return open }
    // The rule is certain if both answers to an open point give the same names.
    let other = JoinNaming(model: model, reading: .other)
    let names = naming.openEntities.map { "“\($0.name)” (\($0.reason))" }.joined(separator: ", ")
    let namingEnds = Set(other.pairs.map(\.naming.property))
    for pair in naming.pairs where !namingEnds.contains(pair.naming.property) {
      open[pair.naming.property, default: []].append(
        "which end names the join table: the order of the properties isn't known for \(names)")
    }
    for (label, ends) in naming.groups where other.groups[label]?.map(\.property) != ends.map(\.property) {
      for end in ends {
        open[end.property, default: []].append(
          "the digit of its column's name: the order of the properties isn't known for \(names)")
      }
    }
    return open
  }

  private mutating func note(
    _ end: ManyToManyEnd, _ question: String, canBeSettled: Bool = true, isToldByTables: Bool = false
  ) {
    unsettled.append(
      .init(
        property: end.property, question: question, canBeSettled: canBeSettled,
        isToldByTables: isToldByTables))
  }

  // MARK: Names

  private func number(_ entity: String) -> Int { numbers[entity] ?? 0 }

  /// The column label of an end has the number of the entity to which the end leads (docs/formats/core-data-sqlite.md
  /// 4.2).
  private func baseLabel(_ end: ManyToManyEnd) -> String {
    "Z_\(number(end.relationship.destinationEntityName))\(end.relationship.name.uppercased())"
  }

  private func label(_ end: ManyToManyEnd) -> String {
    let digit = naming.digit(of: end)
    return digit == 0 ? baseLabel(end) : baseLabel(end) + String(digit)
  }

  private func tableName(_ naming: ManyToManyEnd) -> String {
    "Z_\(number(naming.entity.name))\(naming.relationship.name.uppercased())"
  }

  /// The join table that the evidence gives.
  ///
  /// One of the two ends names the table. Each of the table's two key columns may have a digit.
  private func settledTable(_ pair: JoinNaming.Pair) -> StoreLayout.JoinTable? {
    guard let evidence, pair.naming.property != pair.inverse.property else { return nil }
    let candidates = [(pair.naming, pair.inverse), (pair.inverse, pair.naming)].compactMap {
      naming, inverse -> StoreLayout.JoinTable? in
      guard let columns = evidence.tables[tableName(naming)], let first = column(of: inverse, in: columns),
        let second = column(of: naming, in: columns), first != second
      else { return nil }
      return table(
        naming: naming, inverse: inverse, columns: [inverse.property: first, naming.property: second])
    }
    return candidates.count == 1 ? candidates.first : nil
  }

  private func column(of end: ManyToManyEnd, in columns: [String]) -> String? {
    let label = baseLabel(end)
    let matches = columns.filter { $0.hasPrefix(label) && $0.dropFirst(label.count).allSatisfy(\.isNumber) }
    return matches.count == 1 ? matches.first : nil
  }

  private func table(
    naming: ManyToManyEnd, inverse: ManyToManyEnd, columns: [StoreLayout.Property: String]
  ) -> StoreLayout.JoinTable {
    func joinEnd(_ end: ManyToManyEnd) -> StoreLayout.JoinEnd {
      let column = columns[end.property] ?? label(end)
      return StoreLayout.JoinEnd(
        relationship: end.property, column: column,
        orderColumn: end.relationship.isOrdered ? "Z_FOK_\(column.dropFirst(2))" : nil)
    }
    return StoreLayout.JoinTable(
      name: tableName(naming), first: joinEnd(inverse), second: joinEnd(naming),
      rootEntity: model.rootName(of: naming.entity.name) ?? naming.entity.name)
  }

  /// Sorts by the number of the naming entity.
  ///
  /// Within one entity, the order is that of the hash table of today's frameworks (docs/formats/core-data-sqlite.md
  /// 4.5). No data depend on this order.
  private func inCreationOrder(_ tables: [StoreLayout.JoinTable]) -> [StoreLayout.JoinTable] {
    let byEntity = Dictionary(grouping: tables) { $0.second.relationship.entity }
    return byEntity.sorted { number($0.key) < number($1.key) }.flatMap { entity, group in
      let names = model.propertyNames(of: entity)
      let places = Dictionary(
        PropertyHashOrder.creation(names).enumerated().map { ($0.element, $0.offset) },
        uniquingKeysWith: { first, _ in first })
      return group.sorted {
        places[$0.second.relationship.name, default: 0] < places[$1.second.relationship.name, default: 0]
      }
    }
  }
}
