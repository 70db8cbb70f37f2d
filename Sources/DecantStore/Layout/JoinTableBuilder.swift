internal import DecantModel

/// Builds the tables of many-to-many relationships (core-data-sqlite.md 4).
struct JoinTableBuilder {
  private let model: ManagedObjectModel
  private let numbers: [String: Int]
  private let evidence: SchemaEvidence?
  private(set) var unsettled: [StoreLayout.Unsettled] = []

  init(model: ManagedObjectModel, numbers: [String: Int], evidence: SchemaEvidence?) {
    self.model = model
    self.numbers = numbers
    self.evidence = evidence
  }

  /// One end of a many-to-many relationship.
  private struct End: Hashable {
    let entity: Entity
    let relationship: Relationship
    let number: Int

    var property: StoreLayout.Property { .init(entity: entity.name, name: relationship.name) }
  }

  mutating func joinTables() -> [StoreLayout.JoinTable] {
    var drafts: [(owner: End, table: StoreLayout.JoinTable)] = []
    let labels = columnLabels()
    for (one, other) in pairs() {
      if let settled = settledTable(one, other) {
        drafts.append(settled)
        continue
      }
      for end in [one, other] where labels.doubtful.contains(end.property) {
        note(end, "its column's name beside several others called “\(baseLabel(end))”")
      }
      if other.relationship.inverseName != one.relationship.name {
        note(one, "which join table it has, because its inverse “\(other.property)” names another inverse")
      }
      let (naming, inverse) = namingEnd(one, other)
      drafts.append((naming, table(naming: naming, inverse: inverse, labels: labels.names)))
    }
    return inCreationOrder(drafts)
  }

  private func end(_ entity: Entity, _ relationship: Relationship) -> End {
    End(entity: entity, relationship: relationship, number: numbers[entity.name] ?? 0)
  }

  /// Every many-to-many relationship once, the end on the lower-numbered entity first.
  private func pairs() -> [(End, End)] {
    var pairs: [(End, End)] = []
    var seen: Set<StoreLayout.Property> = []
    for entity in model.entities.sorted(by: { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) }) {
      for relationship in entity.relationships.sorted(by: { NameOrder.codePoints($0.name, $1.name) })
      where relationship.isToMany && !relationship.isTransient {
        guard let inverse = model.inverse(of: relationship), inverse.relationship.isToMany else { continue }
        let one = end(entity, relationship)
        let other = end(inverse.entity, inverse.relationship)
        guard seen.insert(one.property).inserted else { continue }
        seen.insert(other.property)
        pairs.append((one, other))
      }
    }
    return pairs
  }

  /// The number by which a relationship's column is labelled: that of the entity it leads to.
  private func targetNumber(_ end: End) -> Int { numbers[end.relationship.destinationEntityName] ?? 0 }

  private func baseLabel(_ end: End) -> String {
    "Z_\(targetNumber(end))\(end.relationship.name.uppercased())"
  }

  /// Columns by relationship: unique for each entity pointed at, in the order of the inverses' names (4.3, seen
  /// for two of a name only).
  private func columnLabels() -> (names: [StoreLayout.Property: String], doubtful: Set<StoreLayout.Property>) {
    var byLabel: [String: [(end: End, inverse: End)]] = [:]
    for (one, other) in pairs() {
      byLabel[baseLabel(one), default: []].append((one, other))
      if one.property != other.property { byLabel[baseLabel(other), default: []].append((other, one)) }
    }
    var names: [StoreLayout.Property: String] = [:]
    var doubtful: Set<StoreLayout.Property> = []
    for (label, ends) in byLabel {
      let sorted = ends.sorted {
        NameOrder.ignoringCase($0.inverse.relationship.name, $1.inverse.relationship.name)
      }
      for (index, (end, _)) in sorted.enumerated() {
        names[end.property] = index == 0 ? label : label + String(index)
        if sorted.count > 2 { doubtful.insert(end.property) }
      }
    }
    return (names, doubtful)
  }

  /// The table as the evidence has it: named by either end, its two columns with or without a digit.
  private func settledTable(_ one: End, _ other: End) -> (owner: End, table: StoreLayout.JoinTable)? {
    guard let evidence else { return nil }
    let candidates = [(one, other), (other, one)].compactMap {
      naming, inverse -> (End, StoreLayout.JoinTable)? in
      let name = tableName(naming)
      guard let columns = evidence.tables[name], let first = column(of: inverse, in: columns),
        let second = column(of: naming, in: columns), first != second
      else { return nil }
      let names = [inverse.property: first, naming.property: second]
      return (naming, table(naming: naming, inverse: inverse, labels: names))
    }
    return candidates.count == 1 || one.property == other.property ? candidates.first : nil
  }

  private func column(of end: End, in columns: [String]) -> String? {
    let label = baseLabel(end)
    let matches = columns.filter { $0.hasPrefix(label) && $0.dropFirst(label.count).allSatisfy(\.isNumber) }
    return matches.count == 1 ? matches.first : nil
  }

  private mutating func namingEnd(_ one: End, _ other: End) -> (naming: End, inverse: End) {
    let isFamilyEnd = [one, other].contains { !model.subentities(of: $0.entity.name).isEmpty }
    let isInheritedEnd = [one, other].contains {
      $0.entity.name != inverseDestination(of: $0, in: (one, other))
    }
    if one.property == other.property {
      note(one, "how the join table of a relationship that is its own inverse is laid out")
    } else if isFamilyEnd || isInheritedEnd {
      note(one, "which end names the join table where an entity with subentities takes part")
    }
    guard one.number == other.number, one.property != other.property else {
      return one.number <= other.number ? (one, other) : (other, one)
    }
    let names =
      model.attributes(of: one.entity.name).map(\.name) + model.relationships(of: one.entity.name).map(\.name)
    guard let order = PropertyHashOrder.names(names),
      let first = order.first(where: { $0 == one.relationship.name || $0 == other.relationship.name })
    else {
      note(one, "which end names the join table on an entity of \(names.count) properties")
      return (one, other)
    }
    return first == one.relationship.name ? (one, other) : (other, one)
  }

  /// The entity to which the opposite end of a pair leads.
  private func inverseDestination(of end: End, in pair: (End, End)) -> String {
    let opposite = pair.0 == end ? pair.1 : pair.0
    return opposite.relationship.destinationEntityName
  }

  private func tableName(_ naming: End) -> String {
    "Z_\(naming.number)\(naming.relationship.name.uppercased())"
  }

  private func table(
    naming: End, inverse: End, labels: [StoreLayout.Property: String]
  ) -> StoreLayout.JoinTable {
    func joinEnd(_ end: End) -> StoreLayout.JoinEnd {
      let column = labels[end.property] ?? baseLabel(end)
      return StoreLayout.JoinEnd(
        relationship: end.property, column: column,
        orderColumn: end.relationship.isOrdered ? "Z_FOK_\(column.dropFirst(2))" : nil)
    }
    return StoreLayout.JoinTable(
      name: tableName(naming), first: joinEnd(inverse),
      second: joinEnd(naming), rootEntity: model.root(of: naming.entity.name)?.name ?? naming.entity.name)
  }

  /// By the naming entity's number; within one entity as today's hash table has the names (4.5, no meaning).
  private func inCreationOrder(
    _ drafts: [(owner: End, table: StoreLayout.JoinTable)]
  ) -> [StoreLayout.JoinTable] {
    let byEntity = Dictionary(grouping: drafts) { $0.owner.number }
    return byEntity.keys.sorted().flatMap { number -> [StoreLayout.JoinTable] in
      let group = byEntity[number] ?? []
      guard let entity = group.first?.owner.entity else { return [] }
      let names =
        model.attributes(of: entity.name).map(\.name) + model.relationships(of: entity.name).map(\.name)
      let order = PropertyHashOrder.creation(names)
      return group.sorted {
        (order.firstIndex(of: $0.owner.relationship.name) ?? 0)
          < (order.firstIndex(of: $1.owner.relationship.name) ?? 0)
      }.map(\.table)
    }
  }

  private mutating func note(_ end: End, _ question: String) {
    unsettled.append(StoreLayout.Unsettled(property: end.property, question: question))
  }
}
