internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  /// Finds parts of an entity mapping that have no effect, and a stated type “copy” that other parts contradict.
  ///
  /// In a text, properties and keys without effect are errors, because the author expects an effect. The model editor
  /// allows them, and Core Data ignores them.
  mutating func checkUnused(of entity: EntityMapping) {
    for property in entity.unusedRows {
      reportUnused(
        entity.sourceEntityName == nil
          ? "it is never set: without a source entity no objects are made"
          : "it is never set: without a destination entity no objects are made",
        entity.sourceEntityName == nil
          ? "Name a source entity whose objects become “\(entity.destinationEntityName ?? "")”, have a policy of another "
            + "entity mapping insert objects, or remove the row"
          : "Remove the row, or name a destination entity", of: entity, property: property)
    }
    if entity.sourceEntityName != nil, entity.destinationEntityName == nil {
      for key in entity.unusedKeys {
        self.key = key
        reportUnused(
          "“\(key)” has no effect: without a destination entity no objects are made",
          "Leave “\(key)” out; the filters of the other entity mappings decide which objects are left behind",
          of: entity)
      }
      key = nil
      checkRemoval(of: entity)
    }
    if statedCopies.contains(entity.name), let change = entity.change {
      if case .key(let key) = change { self.key = key }
      report(
        change.words,
        "Leave “type” out, or say type: \"transform\"", in: entity, property: change.property)
      key = nil
    }
  }

  private mutating func checkRemoval(of entity: EntityMapping) {
    let taking = mapping.entityMappings.first {
      $0.sourceEntityName == entity.sourceEntityName && $0.destinationEntityName != nil && $0.filter == nil
        && $0.uniqueBy == nil
    }
    guard isText, let taking else { return }
    report(
      "no object of “\(entity.sourceEntityName ?? "")” is left to remove: “\(taking.name)” takes all of them",
      "Remove one of the two entity mappings, or give “\(taking.name)” a filter", .warning, in: entity,
      subject: .unused)
  }

  private mutating func reportUnused(
    _ problem: String, _ advice: String, of entity: EntityMapping, property: String? = nil
  ) {
    report(
      problem, advice, isText ? .error : .warning, in: entity, property: property, subject: .unused)
  }
}

extension EntityMapping {
  /// The properties with an expression, although no objects are made.
  var unusedRows: [String] {
    guard sourceEntityName == nil || destinationEntityName == nil else { return [] }
    return attributeMappings.compactMap { row in
      if case .expression = row.value { row.destinationName } else { nil }
    }
      + relationshipMappings.compactMap { row in
        if case .expression = row.value { row.destinationName } else { nil }
      }
  }

  /// The keys that select source objects, although the entity mapping makes nothing of them.
  var unusedKeys: [String] {
    guard sourceEntityName != nil, destinationEntityName == nil else { return [] }
    return [(filter != nil, "filter"), (uniqueBy != nil, "uniqueBy"), (chunks != .automatic, "chunks")]
      .filter(\.0).map(\.1)
  }

  enum Change {
    case key(String)
    case attribute(String)

    var property: String? { if case .attribute(let name) = self { name } else { nil } }

    var words: String {
      switch self {
      case .key(let key):
        "type “copy” says that objects stay as they are, but “\(key)” makes one object of several"
      case .attribute: "type “copy” says that objects stay as they are, but this value is calculated"
      }
    }
  }

  /// The first reason why objects don't stay as they are; `nil` if there is none.
  ///
  /// A value taken from a source attribute is no such reason, even if the attribute has another name.
  var change: Change? {
    if uniqueBy != nil { return .key("uniqueBy") }
    for row in attributeMappings {
      if case .expression(let expression) = row.value, expression.sourceKey == nil {
        return .attribute(row.destinationName)
      }
    }
    return nil
  }
}
