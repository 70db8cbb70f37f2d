internal import DecantModel

extension MappingCheck {
  mutating func checkNames(of entity: EntityMapping) {
    checkEntity(entity.sourceEntityName, in: source, "source", entity)
    checkEntity(entity.destinationEntityName, in: destination, "destination", entity)
    checkKind(of: entity)
    checkAbstractSource(of: entity)
    guard let name = entity.destinationEntityName, let target = destination.entity(named: name) else { return }
    if target.isAbstract, holdsRows(entity) {
      report(
        "the destination entity “\(name)” is abstract, and there can be no objects of it",
        "Map to one of its subentities, or remove the entity mapping", in: entity)
    }
    let attributes = destination.attributes(of: name).map(\.name)
    let relationships = destination.relationships(of: name).map(\.name)
    checkRows(
      entity.attributeMappings.map(\.destinationName), "attribute", attributes, relationships, entity)
    checkRows(
      entity.relationshipMappings.map(\.destinationName), "relationship", relationships, attributes, entity)
  }

  private mutating func checkEntity(
    _ name: String?, in model: ManagedObjectModel, _ side: String, _ entity: EntityMapping
  ) {
    guard let name, model.entity(named: name) == nil else { return }
    let known = model.entities.map(\.name)
    report(
      "the \(side) model has no entity “\(name)”",
      hint(name, known, otherwise: "Correct the name, or remove the entity mapping"), in: entity)
  }

  /// Reports an abstract source entity: it has no objects of its own, and objects of its subentities aren't fetched.
  ///
  /// An entity mapping between two abstract entities isn't reported, because the model editor makes such entity
  /// mappings by default.
  private mutating func checkAbstractSource(of entity: EntityMapping) {
    guard let name = entity.sourceEntityName, source.entity(named: name)?.isAbstract == true,
      entity.destinationEntityName.flatMap(destination.entity(named:))?.isAbstract == false
    else { return }
    let below = source.family(of: name).filter { !$0.isAbstract }.map { "“\($0.name)”" }
    report(
      "the source entity “\(name)” is abstract: nothing is taken, because objects of its subentities aren't its own",
      below.isEmpty
        ? "Remove the entity mapping" : "Write an entity mapping for each of \(below.joined(separator: ", "))",
      .warning, in: entity)
  }

  private mutating func checkKind(of entity: EntityMapping) {
    switch (entity.type, entity.sourceEntityName, entity.destinationEntityName) {
    case (.add, .some, _), (.remove, _, .some):
      report(
        "a mapping of type “\(entity.type)” has only a \(entity.type == .add ? "destination" : "source")",
        "Remove the other entity, or the type", in: entity)
    case (.copy, nil, _), (.copy, _, nil), (.transform, nil, _), (.transform, _, nil):
      report(
        "a mapping of type “\(entity.type)” needs a source and a destination",
        "Name both entities, or remove the type", in: entity)
    default: break
    }
    checkPolicy(of: entity)
    guard entity.sourceEntityName == nil else { return }
    let needless = [
      (entity.filter != nil, "filter"), (entity.uniqueBy != nil, "uniqueBy"),
      (entity.chunks != .automatic, "chunks"),
    ].filter(\.0).map { "“\($0.1)”" }
    if !needless.isEmpty {
      report(
        "without a source entity there is nothing for \(needless.joined(separator: ", "))",
        "Name the source entity", in: entity)
    }
  }

  private mutating func checkPolicy(of entity: EntityMapping) {
    guard let policy = entity.policy else { return }
    if entity.sourceEntityName == nil {
      report(
        "the policy \(policy.text) is never called: without a source entity there are no objects to call it for, and Core "
          + "Data doesn't call it either",
        "Name a source entity, or remove the policy", .warning, in: entity, subject: .unused)
    } else if entity.destinationEntityName == nil {
      report(
        "the policy \(policy.text) is never called: without a destination entity the objects are left out",
        "Name a destination entity, even if the policy makes no objects of it, or remove the policy",
        .warning, in: entity, subject: .unused)
    }
  }

  private mutating func checkRows(
    _ names: [String], _ kind: String, _ known: [String], _ others: [String],
    _ entity: EntityMapping
  ) {
    key = "\(kind)s"
    defer { key = nil }
    let (existing, others) = (Set(known), Set(others))
    var seen: Set<String> = []
    for name in names {
      if !seen.insert(name).inserted {
        report(
          "there are several rows for this property", "Keep only one of the rows", in: entity, property: name)
      }
      if existing.contains(name) { continue }
      let target = entity.destinationEntityName ?? ""
      if others.contains(name) {
        report(
          kind == "attribute"
            ? "it is a relationship of “\(target)”, not an attribute"
            : "it is an attribute of “\(target)”, not a relationship",
          "Put it among the \(kind == "attribute" ? "relationships" : "attributes")", in: entity, property: name
        )
      } else {
        report(
          "“\(target)” has no \(kind) of that name",
          hint(name, known, otherwise: "Correct the name, or remove the row"), in: entity, property: name)
      }
    }
  }
}
