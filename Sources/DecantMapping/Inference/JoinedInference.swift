package import DecantModel

/// Two consecutive inferred steps as one, so that the store is copied once.
///
/// Only a direct mapping with the same result replaces both steps: the middle version may lose a value, or its default
/// may be written.
package struct JoinedInference {
  private let source: ManagedObjectModel
  private let middle: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let first: InferredMapping
  private let second: InferredMapping
  /// The first step's entity mappings by the entities of the middle version.
  private let former: [String: EntityMapping]

  package init(
    _ first: InferredMapping, _ second: InferredMapping, from source: ManagedObjectModel,
    over middle: ManagedObjectModel, to destination: ManagedObjectModel
  ) {
    self.source = source
    self.middle = middle
    self.destination = destination
    self.first = first
    self.second = second
    former = Self.byDestination(first)
  }

  /// - Parameters:
  ///   - renames: The renames that are stated for the last version.
  ///   - history: The renaming identifiers of the family's versions.
  /// - Returns: `nil` if the steps have to be done one by one.
  package func mapping(renames: Renames, history: RenameHistory) -> InferredMapping? {
    guard first.lostTargets.isEmpty, second.lostTargets.isEmpty, second.drops.allSatisfy(isNew),
      keepsConstraints, let origins = self.origins
    else { return nil }
    for renames in [renames, renames.merging(self.renames(origins))] {
      if let direct = try? InferredMapping.make(
        from: source, to: destination, renames: renames, history: history), isSame(direct, origins)
      {
        return direct
      }
    }
    return nil
  }

  /// Whether the last version has every uniqueness constraint of the middle version.
  ///
  /// Otherwise the first step refuses duplicates that the last version allows.
  private var keepsConstraints: Bool {
    middle.entities.allSatisfy { entity in
      let constraints = middle.chain(of: entity.name).flatMap(\.uniquenessConstraints)
      // Without objects there are no duplicates.
      let hasObjects = middle.family(of: entity.name).contains { former[$0.name]?.sourceEntityName != nil }
      guard !constraints.isEmpty, hasObjects else { return true }
      return second.mappingModel.entityMappings.contains { mapping in
        guard mapping.sourceEntityName == entity.name, let name = mapping.destinationEntityName else {
          return false
        }
        let kept = destination.chain(of: name).flatMap(\.uniquenessConstraints).map { constraint in
          Set(constraint.map { Self.sourceName(of: $0, mapping) })
        }
        return constraints.allSatisfy { kept.contains(Set($0.map(Optional.some))) }
      }
    }
  }

  private static func sourceName(of name: String, _ mapping: EntityMapping) -> String? {
    switch mapping.attributeMappings.first(where: { $0.destinationName == name })?.value {
    case .source(let old), .sourceOrDefault(let old): return old
    default: return mapping.sourceRelationship(of: name)
    }
  }

  /// The entity of the first version whose objects become the objects of a destination entity over both steps.
  private struct Origin: Equatable {
    var source: String?
    var attributes: [String: AttributeMapping.Value] = [:]
    var relationships: [String: String] = [:]
  }

  private static func byDestination(_ mapping: InferredMapping) -> [String: EntityMapping] {
    Dictionary(
      mapping.mappingModel.entityMappings.compactMap { mapping in
        mapping.destinationEntityName.map { ($0, mapping) }
      }
    ) { first, _ in first }
  }

  /// The `Origin` of each destination entity, by the entity's name; `nil` if one mapping can't give the same values.
  private var origins: [String: Origin]? {
    var origins: [String: Origin] = [:]
    for (entity, mapping) in Self.byDestination(second) {
      guard let between = mapping.sourceEntityName, let before = former[between],
        let from = before.sourceEntityName
      else {
        origins[entity] = Origin()
        continue
      }
      var origin = Origin(source: from)
      for row in mapping.attributeMappings {
        guard let value = value(row, of: entity, before, between) else { return nil }
        origin.attributes[row.destinationName] = value
      }
      for row in mapping.relationshipMappings {
        guard let name = row.sourceName,
          let older = before.relationshipMappings.first(where: { $0.destinationName == name })?.sourceName
        else { continue }
        guard changesOnce(row.destinationName, of: entity, name, of: between, older, of: from) else {
          return nil
        }
        origin.relationships[row.destinationName] = older
      }
      origins[entity] = origin
    }
    return origins
  }

  /// The value of an attribute over both steps; `nil` if it depends on the middle version.
  private func value(
    _ row: AttributeMapping, of entity: String, _ before: EntityMapping, _ between: String
  ) -> AttributeMapping.Value? {
    let name: String
    switch row.value {
    case .defaultValue, .derived: return row.value
    case .source(let source), .sourceOrDefault(let source): name = source
    case .expression, .unset: return nil
    }
    let fallback = middle.attribute(name, of: between)?.defaultValue
    let hasSameDefault = fallback == destination.attribute(row.destinationName, of: entity)?.defaultValue
    let keepsNil = if case .source = row.value { true } else { false }
    switch before.attributeMappings.first(where: { $0.destinationName == name })?.value {
    case .source(let older), .sourceOrDefault(let older):
      guard changesPlaceOnce(row.destinationName, of: entity, name, of: between, older, of: before) else {
        return nil
      }
      if case .source? = before.attributeMappings.first(where: { $0.destinationName == name })?.value {
        return keepsNil ? .source(older) : .sourceOrDefault(older)
      }
      return hasSameDefault ? .sourceOrDefault(older) : nil
    case .defaultValue: return hasSameDefault || fallback == nil && !keepsNil ? .defaultValue : nil
    // A derived value is computed from values of the middle version, which the second step may change.
    case .derived, .expression, .unset, nil: return nil
    }
  }

  /// Whether at most one step changes the setting that allows binary values in external files.
  ///
  /// If both steps change the setting, a direct mapping can have another result. When the first step moves values from
  /// files into rows, it loses the values whose files are missing, and the second step leaves the values in their rows.
  private func changesPlaceOnce(
    _ new: String, of entity: String, _ name: String, of between: String, _ old: String,
    of before: EntityMapping
  ) -> Bool {
    let last = destination.attribute(new, of: entity)?.allowsExternalBinaryDataStorage
    let second = middle.attribute(name, of: between)?.allowsExternalBinaryDataStorage
    let first = before.sourceEntityName.flatMap {
      source.attribute(old, of: $0)?.allowsExternalBinaryDataStorage
    }
    return second == first || second == last
  }

  /// Whether at most one step changes a relationship's form, and the relationship gets no inverse.
  ///
  /// If both steps change the form, the second one may lose other pairs, because the first one has already lost some.
  /// If two relationships become each other's inverse, the destination's names decide which pairs are lost.
  private func changesOnce(
    _ new: String, of entity: String, _ name: String, of between: String, _ old: String, of from: String
  ) -> Bool {
    guard let last = destination.relationship(new, of: entity).map({ Form($0, in: destination) }),
      let second = middle.relationship(name, of: between).map({ Form($0, in: middle) }),
      let first = source.relationship(old, of: from).map({ Form($0, in: source) })
    else { return false }
    return (second == first || second == last) && (first.inverseIsToMany != nil || last.inverseIsToMany == nil)
  }

  /// The properties of a relationship that decide where pairs are stored and which pairs fit.
  private struct Form: Equatable {
    let isToMany, isOrdered: Bool
    let inverseIsToMany, inverseIsOrdered: Bool?

    init(_ relationship: Relationship, in model: ManagedObjectModel) {
      let inverse = model.inverse(of: relationship)?.relationship
      (isToMany, isOrdered) = (relationship.isToMany, relationship.isOrdered)
      (inverseIsToMany, inverseIsOrdered) = (inverse?.isToMany, inverse?.isOrdered)
    }
  }

  /// Whether a drop of the second step concerns only values that the first step added.
  ///
  /// Then no value of the store is lost.
  private func isNew(_ drop: InferredMapping.Drop) -> Bool {
    drop.entities.allSatisfy { entity in
      guard let mapping = former[entity], mapping.sourceEntityName != nil else { return true }
      switch drop.kind {
      case .entity: return false
      case .attribute:
        let value = mapping.attributeMappings.first { $0.destinationName == drop.property }?.value
        return value == .defaultValue || value == .derived
      case .relationship:
        return mapping.relationshipMappings.first { $0.destinationName == drop.property }?.sourceName == nil
      }
    }
  }

  /// The renames with which inference finds the same sources as both steps.
  private func renames(_ origins: [String: Origin]) -> Renames {
    var renames = Renames()
    for (entity, origin) in origins {
      guard let source = origin.source else { continue }
      if source != entity { renames.entities[source] = entity }
      for (name, value) in origin.attributes {
        switch value {
        case .source(let old), .sourceOrDefault(let old):
          if old != name { renames.properties[.init(entity: entity, name: old)] = name }
        case .defaultValue, .derived, .expression, .unset: break
        }
      }
      for (name, old) in origin.relationships where old != name {
        renames.properties[.init(entity: entity, name: old)] = name
      }
    }
    return renames
  }

  private func isSame(_ direct: InferredMapping, _ origins: [String: Origin]) -> Bool {
    let own = Self.byDestination(direct).mapValues { mapping in
      guard let source = mapping.sourceEntityName else { return Origin() }
      return Origin(
        source: source,
        attributes: Dictionary(mapping.attributeMappings.map { ($0.destinationName, $0.value) }) { first, _ in
          first
        },
        relationships: Dictionary(
          mapping.relationshipMappings.compactMap { row in row.sourceName.map { (row.destinationName, $0) } }
        ) { first, _ in first })
    }
    return own == origins && direct.lostTargets.isEmpty && Self.keys(direct.drops) == Self.keys(first.drops)
      && Self.ranges(direct) == ranges && Self.roots(direct, source, destination) == roots
  }

  /// The source root entities of each destination root entity.
  ///
  /// The table of a destination root entity takes over the highest used key of the source root entities' tables.
  private static func roots(
    _ mapping: InferredMapping, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> [String: Set<String>] {
    mapping.mappingModel.entityMappings.reduce(into: [:]) { roots, mapping in
      guard let new = mapping.destinationEntityName.flatMap(destination.root(of:)),
        let old = mapping.sourceEntityName.flatMap(source.root(of:))
      else { return }
      roots[new.name, default: []].insert(old.name)
    }
  }

  private var roots: [String: Set<String>] {
    let earlier = Self.roots(first, source, middle)
    return Self.roots(second, middle, destination).mapValues { names in
      names.reduce(into: []) { $0.formUnion(earlier[$1] ?? []) }
    }.filter { !$0.value.isEmpty }
  }

  private static func keys(_ drops: [InferredMapping.Drop]) -> Set<Renames.Property> {
    Set(drops.map { Renames.Property(entity: $0.entity, name: $0.property ?? "") })
  }

  /// The ranges that the values of source attributes must be in.
  private static func ranges(_ mapping: InferredMapping) -> [Renames.Property: ClosedRange<Int64>] {
    Dictionary(
      mapping.narrowings.map { (.init(entity: $0.sourceEntity, name: $0.sourceAttribute), $0.range) },
      uniquingKeysWith: { $0.clamped(to: $1) })
  }

  private var ranges: [Renames.Property: ClosedRange<Int64>] {
    var ranges = Self.ranges(first)
    for narrowing in second.narrowings {
      guard let before = former[narrowing.sourceEntity], let entity = before.sourceEntityName,
        let row = before.attributeMappings.first(where: { $0.destinationName == narrowing.sourceAttribute })
      else { continue }
      switch row.value {
      case .source(let name), .sourceOrDefault(let name):
        let key = Renames.Property(entity: entity, name: name)
        ranges[key] = ranges[key]?.clamped(to: narrowing.range) ?? narrowing.range
      case .defaultValue, .derived, .expression, .unset: break
      }
    }
    return ranges
  }
}
