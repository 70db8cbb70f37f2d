internal import DecantMapping
internal import DecantModel
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
    case .relationship: values = try pairs(of: drop.property ?? "", drop.entities, step: step)
    }
    return MigrationReport.Loss(
      kind: MigrationReport.Loss.Kind(rawValue: drop.kind.rawValue) ?? .attribute, entity: entity,
      property: property, values: values, probableRename: drop.probableRename)
  }

  /// The loss of a property that nothing in the mapping models of a step reads.
  func loss(_ unread: UnreadProperties.Property, step: Int) throws(MigrationFailure) -> MigrationReport.Loss? {
    guard
      let (entity, property) = names(of: unread.name, unread.kind, unread.entity, unread.entities, step: step)
    else { return nil }
    return MigrationReport.Loss(
      kind: MigrationReport.Loss.Kind(rawValue: unread.kind.rawValue) ?? .attribute, entity: entity,
      property: property, values: try values(of: unread, step: step), cause: .unread)
  }

  /// A sentence about the properties that only policies could read, for each step.
  ///
  /// The values are counted where the names can be traced to the store.
  func seenByCode() throws(MigrationFailure) -> [String] {
    var sentences: [String] = []
    var isTraceable = true
    for (index, step) in steps.enumerated() where step.mapping == nil {
      var names: [String] = []
      for unread in UnreadProperties(step.mappingModels, in: step.source.model).seenByCode {
        let name = "“\(unread.entity).\(unread.name)”"
        guard isTraceable else {
          names.append(name)
          continue
        }
        let values = try self.values(of: unread, step: index)
        let unit = unread.kind == .relationship ? "target" : "value"
        if values > 0 { names.append("\(name) (\(counted(values, unit)))") }
      }
      isTraceable = false
      guard !names.isEmpty else { continue }
      sentences.append(
        "No expression of the mapping models from “\(step.source.name)” to “\(step.destination.name)” reads "
          + names.prefix(Self.shownNames).joined(separator: ", ")
          + (names.count > Self.shownNames ? " and \(names.count - Self.shownNames) more" : "")
          + ". A policy can read \(names.count == 1 ? "it" : "them"); whether it does can't be known.")
    }
    return sentences
  }

  private static let shownNames = 20

  private func values(of unread: UnreadProperties.Property, step: Int) throws(MigrationFailure) -> Int {
    unread.kind == .attribute
      ? try values(of: unread.name, unread.entities, step: step)
      : try pairs(of: unread.name, unread.entities, step: step)
  }

  /// The number of an attribute's values in the objects of some entities of a step's source.
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
  private func pairs(of name: String, _ entities: [String], step: Int) throws(MigrationFailure) -> Int {
    var values = 0
    var counted: Set<StoreOrigins.Pairs> = []
    for entity in entities {
      guard let pairs = origins.pairs(of: name, entity: entity, step: step), counted.insert(pairs).inserted
      else { continue }
      values += try counts.pairs(of: pairs.name, entities: [pairs.entity])
    }
    return values
  }

  /// The store's names for what a step drops; `nil` for a property that an earlier step has added.
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
