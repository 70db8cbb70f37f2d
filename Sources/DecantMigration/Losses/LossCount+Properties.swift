internal import DecantMapping
internal import DecantModel
internal import DecantReport
internal import DecantStore

/// The losses of single entities and properties, under the store's names.
extension LossCount {
  func loss(_ drop: InferredMapping.Drop, step: Int) throws(MigrationFailure) -> MigrationReport.Loss? {
    guard let (entity, property) = names(of: drop.property, drop.kind, drop.entity, drop.entities, step: step)
    else { return nil }
    var values = 0
    switch drop.kind {
    case .entity:
      for entity in drop.entities.compactMap({ origins.entity($0, step: step) }) {
        values += try counts.rows(of: entity)
      }
    case .attribute: values = try self.values(of: drop.property ?? "", drop.entities, step: step)
    case .relationship: values = try pairs(of: drop.property ?? "", drop.entities, to: nil, step: step)
    }
    return MigrationReport.Loss(
      kind: MigrationReport.Loss.Kind(rawValue: drop.kind.rawValue) ?? .attribute, entity: entity,
      property: property, values: values, probableRename: drop.probableRename)
  }

  func losses(
    _ unread: [UnreadProperties.Property], step: Int
  ) throws(MigrationFailure) -> [MigrationReport.Loss] {
    let values = try values(of: unread, step: step)
    return zip(unread, values).compactMap { unread, values in
      guard
        let (entity, property) = names(
          of: unread.name, unread.kind, unread.entity, unread.entities, step: step)
      else { return nil }
      return MigrationReport.Loss(
        kind: MigrationReport.Loss.Kind(rawValue: unread.kind.rawValue) ?? .attribute, entity: entity,
        property: property, values: values, cause: .unread)
    }
  }

  /// Sentences about two kinds of properties: only the application's code could read them, or only filters and
  /// `uniqueBy` read them.
  ///
  /// The values are counted where the names can be traced to the store.
  func readingNotes() throws(MigrationFailure) -> [String] {
    var sentences: [String] = []
    var isTraceable = true
    for (index, step) in steps.enumerated() where step.inferred == nil {
      let unread = step.unread
      let models = "the mapping models from “\(step.source.name)” to “\(step.destination.name)”"
      let seen = try names(unread.seenByCode, step: index, isCounted: isTraceable)
      if !seen.isEmpty {
        sentences.append(
          "No expression of \(models) reads \(Self.list(seen)). "
            + "Code of the application can read \(seen.count == 1 ? "it" : "them"). Decant can't know whether it does."
        )
      }
      let selecting = try names(unread.selecting, step: index, isCounted: isTraceable)
      if !selecting.isEmpty {
        sentences.append(
          "Only filters and uniqueBy of \(models) read \(Self.list(selecting)). "
            + "No object of the new version has \(selecting.count == 1 ? "its values" : "their values")."
        )
      }
      isTraceable = false
    }
    return sentences
  }

  /// The names of properties.
  ///
  /// If the values are counted, each name has their number, and properties without values are left out.
  private func names(
    _ properties: [UnreadProperties.Property], step: Int, isCounted: Bool
  ) throws(MigrationFailure) -> [String] {
    let values = isCounted ? try values(of: properties, step: step) : []
    return properties.enumerated().compactMap { place, property in
      let name = "“\(property.entity).\(property.name)”"
      guard isCounted else { return name }
      let unit = property.kind == .relationship ? "target" : "value"
      return values[place] > 0 ? "\(name) (\(counted(values[place], unit)))" : nil
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(shownNames).joined(separator: ", ")
      + (names.count > shownNames ? " and \(names.count - shownNames) more" : "")
  }

  private static let shownNames = 20

  /// The number of values of each property; attributes of one table are counted together.
  private func values(
    of unread: [UnreadProperties.Property], step: Int
  ) throws(MigrationFailure) -> [Int] {
    var wanted: [[StoreCounts.Values]] = []
    for property in unread {
      guard property.kind == .attribute else {
        wanted.append([])
        continue
      }
      wanted.append(
        property.entities.compactMap { entity in
          guard let first = origins.entity(entity, step: step),
            let former = origins.attribute(property.name, of: entity, step: step)
          else { return nil }
          return StoreCounts.Values(attribute: former, entity: first)
        })
    }
    let counted = try counts.numbers(of: wanted.flatMap { $0 })
    var numbers: [Int] = []
    for (property, wanted) in zip(unread, wanted) {
      numbers.append(
        property.kind == .relationship
          ? try pairs(of: property.name, property.entities, to: property.targets, step: step)
          : wanted.reduce(0) { $0 + (counted[$1] ?? 0) })
    }
    return numbers
  }

  private func values(of name: String, _ entities: [String], step: Int) throws(MigrationFailure) -> Int {
    var values = 0
    for entity in entities {
      guard let first = origins.entity(entity, step: step),
        let former = origins.attribute(name, of: entity, step: step)
      else { continue }
      values += try counts.values(of: former, entities: [first])
    }
    return values
  }

  /// The number of a relationship's pairs whose owners are of some entities of a step's source.
  ///
  /// - Parameter targets: The entities of the targets in the step's source; `nil` for all.
  private func pairs(
    of name: String, _ entities: [String], to targets: [String]?, step: Int
  ) throws(MigrationFailure) -> Int {
    var values = 0
    var counted: Set<StoreOrigins.Pairs> = []
    for entity in entities {
      guard let pairs = origins.pairs(of: name, entity: entity, step: step) else { continue }
      if let targets {
        let others = targets.compactMap { origins.entity($0, step: step) }
        let own = origins.entity(entity, step: step).map { [$0] } ?? []
        values += try counts.pairs(
          of: pairs.name, entities: pairs.isReversed ? others : own, targets: pairs.isReversed ? own : others)
      } else if counted.insert(pairs).inserted {
        values += try counts.pairs(of: pairs.name, entities: [pairs.entity])
      }
    }
    return values
  }

  /// The store's names for what a step drops; `nil` for an entity or property that an earlier step has added.
  private func names(
    of property: String?, _ kind: InferredMapping.Drop.Kind, _ declaring: String, _ entities: [String],
    step: Int
  ) -> (entity: String, property: String?)? {
    guard step > 0 else { return (declaring, property) }
    guard let property else { return origins.entity(declaring, step: step).map { ($0, nil) } }
    for entity in [declaring] + entities {
      if kind == .relationship {
        if let pairs = origins.pairs(of: property, entity: entity, step: step) {
          return (pairs.entity, pairs.name)
        }
      } else if let former = origins.attribute(property, of: entity, step: step),
        let first = origins.entity(entity, step: step)
      {
        return (first, former)
      }
    }
    return nil
  }
}
