internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  mutating func checkRelationships(of entity: EntityMapping) {
    guard let name = entity.destinationEntityName, destination.entity(named: name) != nil else { return }
    let rows = Dictionary(entity.relationshipMappings.map { ($0.destinationName, $0) }) { first, _ in first }
    for relationship in destination.relationships(of: name) where !relationship.isTransient {
      switch rows[relationship.name]?.value ?? .unset {
      // A program sets relationships itself.
      case .expression where entity.isLeftToProgram: break
      case .expression(let expression): check(expression, for: relationship, in: entity)
      case .source: break
      case .unset: checkRequired(relationship, in: entity)
      }
    }
  }

  private mutating func checkRequired(_ relationship: Relationship, in entity: EntityMapping) {
    guard holdsRows(entity), entity.policy == nil, !relationship.isOptional, !isSetFromOtherEnd(relationship)
    else {
      return
    }
    report(
      "the relationship is required, and nothing sets it", "Write an expression for it, or for its inverse",
      .warning,
      in: entity, property: relationship.name)
  }

  private func isSetFromOtherEnd(_ relationship: Relationship) -> Bool {
    guard let inverse = relationship.inverseName else { return false }
    return byName.values.contains { other in
      other.destinationEntityName.map {
        destination.isKind($0, of: relationship.destinationEntityName)
          || destination.isKind(relationship.destinationEntityName, of: $0)
      } == true
        && other.relationshipMappings.contains { $0.destinationName == inverse && $0.value != .unset }
    }
  }

  private mutating func check(
    _ expression: FormatExpression, for relationship: Relationship, in entity: EntityMapping
  ) {
    guard let lookup = DestinationLookup(expression) else {
      return checkBare(expression, for: relationship, in: entity)
    }
    let maker: EntityMapping? = if case .entityMapping(let name) = lookup.kind { byName[name] } else { nil }
    let kind = kind(of: lookup.sources, .relationship(relationship.name), in: entity)
    guard lookup.sources.sourceKeys != nil, case .object(let former, .source, _) = kind.one else {
      if let maker { checkMaker(maker, of: relationship, in: entity) }
      return checkValue(lookup.sources, kind, for: relationship, in: entity)
    }
    if let maker {
      if takes(maker, objectsOf: former) {
        checkMaker(maker, of: relationship, in: entity)
      } else {
        report(
          "the path leads to objects of “\(former)”, and the entity mapping “\(maker.name)” takes those of "
            + "\(maker.sourceEntityName.map { "“\($0)”" } ?? "no entity"), so that nothing is found",
          "Correct the path or the entity mapping's name", .warning, in: entity, property: relationship.name)
      }
    }
    if kind.members != nil, !relationship.isToMany {
      report(
        "“\(lookup.sources)” leads to several objects, and the relationship to one",
        "Write a path to one object; otherwise the relationship gets the first of the objects", .warning,
        in: entity,
        property: relationship.name)
    }
  }

  private mutating func checkMaker(
    _ maker: EntityMapping, of relationship: Relationship, in entity: EntityMapping
  ) {
    let target = relationship.destinationEntityName
    guard let made = maker.destinationEntityName else {
      report(
        "the entity mapping “\(maker.name)” removes objects and makes none", "Name another entity mapping",
        in: entity, property: relationship.name)
      return
    }
    guard destination.entity(named: made) != nil, !destination.isKind(made, of: target) else { return }
    report(
      "the entity mapping “\(maker.name)” makes objects of “\(made)”, and the relationship leads to “\(target)”",
      "Name an entity mapping that makes objects of “\(target)”", in: entity, property: relationship.name)
  }

  /// Whether an entity mapping may take objects that a path leads to; `former` is their entity.
  private func takes(_ maker: EntityMapping, objectsOf former: String) -> Bool {
    guard let taken = maker.sourceEntityName else { return false }
    return source.entity(named: taken) == nil || source.isKind(taken, of: former)
  }

  /// Checks an expression that isn't a look-up of destination objects.
  private mutating func checkBare(
    _ expression: FormatExpression, for relationship: Relationship, in entity: EntityMapping
  ) {
    guard expression.sourceKeys != nil else { return compare(expression, relationship, in: entity) }
    if let (attribute, owner) = sourceAttribute(expression, in: entity) {
      // A policy may find an object through the value.
      report(
        "“\(expression)” gives the value of the attribute “\(owner).\(attribute.name)”, and a relationship needs objects",
        Self.advice(onObjectsFor: expression, of: relationship),
        entity.policy == nil ? .error : .warning, in: entity, property: relationship.name)
    } else {
      report(
        "“\(expression)” gives source objects, and a relationship leads to destination objects",
        "Write { path: \"\(expression)\" }, which gives what became of them", in: entity,
        property: relationship.name)
    }
  }

  private static func advice(
    onObjectsFor value: FormatExpression, of relationship: Relationship
  ) -> String {
    let target = relationship.destinationEntityName
    return
      "Write { path: \"$source.\(relationship.name)\" } with a key path to a source relationship, to get the "
      + "destination objects of its targets. Or write { path: \"$source\", mapping: \"NAME\" } to get the object that "
      + "another entity mapping makes of the same source object, such as an entity mapping to “\(target)” with uniqueBy: "
      + "\"\(value)\". Or have a policy set the relationship"
  }

  private mutating func checkValue(
    _ path: FormatExpression, _ kind: ExpressionKind, for relationship: Relationship, in entity: EntityMapping
  ) {
    if let (attribute, owner) = sourceAttribute(path, in: entity) {
      return report(
        "“\(owner).\(attribute.name)” is an attribute and leads to no objects",
        Self.advice(onObjectsFor: path, of: relationship),
        in: entity, property: relationship.name)
    }
    guard let sort = kind.one.family?.sort else { return }
    report(
      "“\(path)” gives \(sort.words) and leads to no objects, so that nothing is found",
      Self.advice(onObjectsFor: path, of: relationship),
      .warning, in: entity, property: relationship.name)
  }

  // MARK: Expressions that aren't look-ups

  private mutating func compare(
    _ expression: FormatExpression, _ relationship: Relationship, in entity: EntityMapping
  ) {
    let kinds = kind(of: expression, .relationship(relationship.name), in: entity).alternatives
    let wrong = kinds.compactMap { misfit(of: $0, relationship) }
    guard let first = wrong.first else { return }
    let isCertain = wrong.count == kinds.count
    report(
      "“\(expression)” \(isCertain ? "gives" : "may give") \(first), and the relationship leads to destination objects of "
        + "“\(relationship.destinationEntityName)”",
      "Write { path: \"…\" } with a path to source objects, which gives what became of them",
      isCertain && entity.policy == nil ? .error : .warning, in: entity, property: relationship.name)
  }

  private func misfit(of kind: ExpressionKind, _ relationship: Relationship) -> String? {
    let target = relationship.destinationEntityName
    switch kind {
    case .unknown, .null, .oneOf: return nil
    case .value, .service: return kind.words
    case .constant(let value):
      guard let members = value.members else { return kind.words }
      return members.lazy.compactMap { self.misfit(of: ExpressionKind($0), relationship) }.first
    case .object(let entity, .source, _): return "source objects of “\(entity)”"
    case .object(let entity, .destination, let isExact):
      let fits = destination.isKind(entity, of: target) || (!isExact && destination.isKind(target, of: entity))
      return fits ? nil : "objects of “\(entity)”"
    case .collection(let member, _):
      let members = member.alternatives
      let wrong = members.compactMap { misfit(of: $0, relationship) }
      return wrong.count == members.count ? wrong.first : nil
    case .list(let members): return members.lazy.compactMap { self.misfit(of: $0, relationship) }.first
    }
  }
}
