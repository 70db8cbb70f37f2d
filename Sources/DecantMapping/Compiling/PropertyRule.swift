internal import DecantModel
internal import PredicateFormat

/// Fills in the rows of attributes and relationships (docs/formats/mapping-models.md 3.2, 3.3).
struct PropertyRule {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// By entity, the names of the entity mappings that make objects of this entity or its subentities.
  ///
  /// At most two names are kept, because a name is used only if it is the only one.
  private let makers: [String: [String]]

  init(
    source: ManagedObjectModel, destination: ManagedObjectModel, names: [String], mappings: [EntityMappingDraft]
  ) {
    self.source = source
    self.destination = destination
    var makers: [String: [String]] = [:]
    for (name, mapping) in zip(names, mappings) {
      for entity in mapping.destinationEntityName.map({ destination.chain(of: $0) }) ?? [] {
        if makers[entity.name, default: []].count < 2 { makers[entity.name, default: []].append(name) }
      }
    }
    self.makers = makers
  }

  // MARK: Attributes

  func attributes(of draft: EntityMappingDraft) -> [AttributeMapping] {
    let known = draft.destinationEntityName.map { destination.attributes(of: $0) } ?? []
    let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    let rows = withElements(draft)
    var names = Set(rows.keys)
    if draft.mapsUnnamed { names.formUnion(known.filter { !$0.isTransient }.map(\.name)) }
    return names.sorted(by: NameOrder.ignoringCase).map { name in
      let value: AttributeMapping.Value =
        switch rows[name] ?? .rule {
        case .expression(let expression): .expression(expression)
        case .unset: .unset
        case .rule: attribute(name, byName[name], of: draft)
        }
      return AttributeMapping(destinationName: name, value: value)
    }
  }

  /// The rows of a draft, with rows of the elements in place of a composite attribute's row.
  ///
  /// The value of an element is taken from the composite attribute's expression, by the element's name. An element's
  /// own row takes precedence.
  private func withElements(_ draft: EntityMappingDraft) -> [String: EntityMappingDraft.AttributeValue] {
    guard let entity = draft.destinationEntityName else { return draft.attributes }
    var rows = draft.attributes
    for (name, row) in draft.attributes {
      let elements = destination.elements(ofComposite: name, of: entity)
      guard !elements.isEmpty else { continue }
      rows[name] = nil
      for attribute in elements where rows[attribute.name] == nil {
        guard let element = attribute.element else { continue }
        rows[attribute.name] =
          if case .expression(let whole) = row {
            .expression(.path(from: whole, [.key(element.name)]))
          } else {
            row
          }
      }
    }
    return rows
  }

  private func attribute(
    _ name: String, _ attribute: Attribute?, of draft: EntityMappingDraft
  ) -> AttributeMapping.Value {
    if attribute?.isDerived == true { return .derived }
    guard let entity = draft.sourceEntityName else { return .unset }
    let candidates = [attribute?.renamingIdentifier, name].compactMap { $0 }
    guard let former = candidates.first(where: { source.attribute($0, of: entity) != nil }) else {
      return .unset
    }
    return .expression(.source(former))
  }

  // MARK: Relationships

  func relationships(of draft: EntityMappingDraft) -> [RelationshipMapping] {
    let known = draft.destinationEntityName.map { destination.relationships(of: $0) } ?? []
    let byName = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    var names = Set(draft.relationships.keys)
    if draft.mapsUnnamed { names.formUnion(known.filter { !$0.isTransient }.map(\.name)) }
    return names.sorted(by: NameOrder.ignoringCase).map { name in
      RelationshipMapping(destinationName: name, value: relationship(name, byName[name], of: draft))
    }
  }

  func relationship(named name: String, of draft: EntityMappingDraft) -> RelationshipMapping.Value {
    relationship(
      name, draft.destinationEntityName.flatMap { destination.relationship(name, of: $0) }, of: draft)
  }

  private func relationship(
    _ name: String, _ relationship: Relationship?, of draft: EntityMappingDraft
  ) -> RelationshipMapping.Value {
    switch draft.relationships[name] ?? .rule(path: nil, mapping: .rule) {
    case .expression(let expression): .expression(expression)
    case .unset: .unset
    case .rule(let path, let mapping): self.relationship(name, relationship, path, mapping, of: draft)
    }
  }

  private func relationship(
    _ name: String, _ relationship: Relationship?, _ path: FormatExpression?,
    _ mapping: EntityMappingDraft.MappingName, of draft: EntityMappingDraft
  ) -> RelationshipMapping.Value {
    guard let path = path ?? standardPath(name, relationship, of: draft) else { return .unset }
    let maker: String? =
      switch mapping {
      case .named(let name): name
      case .any: nil
      case .rule: relationship.flatMap(onlyMaker)
      }
    let lookup =
      maker.map { DestinationLookup(.entityMapping($0), of: path) }
      ?? DestinationLookup(.sourceRelationship(path.sourceKeys?.last ?? name), of: path)
    return .expression(lookup.expression)
  }

  private func standardPath(
    _ name: String, _ relationship: Relationship?, of draft: EntityMappingDraft
  ) -> FormatExpression? {
    guard let entity = draft.sourceEntityName else { return nil }
    let candidates = [draft.followsRenames ? relationship?.renamingIdentifier : nil, name].compactMap { $0 }
    return candidates.first { source.relationship($0, of: entity) != nil }.map { .source($0) }
  }

  private func onlyMaker(of relationship: Relationship) -> String? {
    let names = makers[relationship.destinationEntityName] ?? []
    return names.count == 1 ? names[0] : nil
  }
}
