internal import DecantModel
internal import PredicateFormat

extension OpenChangeFinder {
  /// A way to turn the values of an attribute into objects of a new entity, one object for each value.
  private struct Move {
    let entity: String
    /// The attribute of the new entity that gets the value.
    let attribute: String
    /// The relationship of the former owner that leads to the new objects.
    let relationship: String
    let mapping: EntityMapping
  }

  /// Adds the choice that the values of a dropped attribute become objects of a new entity.
  mutating func addMove(of attribute: String, from entity: String, _ index: Int) -> Bool {
    guard let move = move(of: attribute, from: entity, index) else { return false }
    let value = JSON5Text.quoted("\(FormatExpression.source(attribute))")
    let owner = model.entityMappings[index].name
    let name = JSON5Text.quoted(move.mapping.name)
    changes.entities.append(
      OpenChange(
        problem: lost("attribute “\(attribute)” of “\(entity)”")
          + " Its values can become objects of “\(move.entity)”, if you decide “\(move.relationship)” of “\(owner)”, too.",
        choices: [
          .init(
            [
              "{ name: \(name), source: \(JSON5Text.quoted(entity)), destination: \(JSON5Text.quoted(move.entity)),",
              "  uniqueBy: \(value), attributes: { \(JSON5Text.key(move.attribute)): \(value) } },",
            ], "one object for each value")
        ], canStay: true))
    note(
      index, \.relationships,
      "“\(move.relationship)” can lead to the objects of “\(move.mapping.name)”, if you choose that entity mapping.",
      [
        .init(
          "\(JSON5Text.key(move.relationship)): { path: \"$source\", mapping: \(name) },",
          "the object with the former value of “\(attribute)”")
      ], of: [move.relationship])
    return true
  }

  private func move(of attribute: String, from entity: String, _ index: Int) -> Move? {
    guard let former = source.attribute(attribute, of: entity),
      let owner = model.entityMappings[index].destinationEntityName
    else { return nil }
    for relationship in emptyRelationships(index)
    where changes.rows[index]?.undecided.contains(relationship) != true {
      guard let target = destination.relationship(relationship, of: owner)?.destinationEntityName,
        destination.entity(named: target)?.isAbstract == false, self.source(of: target) == nil,
        isFirstChoice(attribute, from: entity, for: [relationship, target])
      else { continue }
      let fitting = destination.attributes(of: target).filter { $0.type == former.type && !$0.isDerived }
      let sorted = fitting.filter { $0.name == attribute } + fitting.filter { $0.name != attribute }
      for candidate in sorted {
        let mapping = self.mapping(attribute, from: entity, into: target, candidate.name)
        if trial.accepts(mapping, relationship: relationship, of: index) {
          return Move(
            entity: target, attribute: candidate.name, relationship: relationship, mapping: mapping)
        }
      }
    }
    return nil
  }

  /// Whether no other dropped attribute is named like the relationship or its entity, or this one is, too.
  private func isFirstChoice(_ attribute: String, from entity: String, for names: [String]) -> Bool {
    func isNamedSo(_ attribute: String) -> Bool {
      names.contains { NameLikeness(attribute).hasLetters(of: NameLikeness($0)) }
    }
    let rivals = drops.filter { $0.kind == .attribute && $0.entities.contains(entity) }.compactMap(\.property)
    return isNamedSo(attribute) || !rivals.contains(where: isNamedSo)
  }

  private func mapping(
    _ attribute: String, from entity: String, into target: String, _ name: String
  ) -> EntityMapping {
    var mapping = EntityMapping(
      name: "\(entity)To\(target)", type: .transform, sourceEntityName: entity, destinationEntityName: target)
    mapping.uniqueBy = .source(attribute)
    mapping.attributeMappings = [
      AttributeMapping(destinationName: name, value: .expression(.source(attribute)))
    ]
    return mapping
  }
}
