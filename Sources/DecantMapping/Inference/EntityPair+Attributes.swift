internal import DecantModel

extension EntityPair {
  /// Maps the stored attributes of the destination, inherited ones included (docs/formats/inference.md 3).
  mutating func mapAttributes(
    _ entities: EntityMatching, _ stated: [String: Set<String>], _ older: (String) -> Set<String>
  ) {
    let former = entities.source.attributes(of: source.name)
    let byName = Dictionary(former.map { ($0.name, $0) }) { first, _ in first }
    let new = entities.destination.attributes(of: destination.name)
    let matching = NameMatching(new, to: former, stated: Self.withElements(stated, new), older: older)
    for attribute in former where !attribute.isTransient { lostAttributes[attribute.name] = .gone }
    for attribute in new {
      let from = matching.sources[attribute.name].flatMap { byName[$0] }
      if attribute.isTransient {
        if let from, lostAttributes[from.name] == .gone { lostAttributes[from.name] = .becameTransient }
        continue
      }
      if from == nil, byName[attribute.name] == nil,
        attribute.renamingIdentifier ?? attribute.name == attribute.name
      {
        newAttributes.append(attribute)
      }
      if from == nil { refuseOtherForm(attribute, in: former) }
      let value = self.value(of: attribute, from: from)
      mapping.attributeMappings.append(AttributeMapping(destinationName: attribute.name, value: value))
      guard let from, !from.isTransient else { continue }
      switch value {
      case .source, .sourceOrDefault:
        lostAttributes[from.name] = nil
        noteNarrowing(from, attribute)
      case .derived:
        if lostAttributes[from.name] != nil {
          lostAttributes[from.name] = from.isDerived ? nil : .becameDerived
        }
      case .defaultValue, .expression, .unset: break
      }
    }
  }

  /// The stated old names, and old names of elements, which follow from the stated old names of composite attributes.
  ///
  /// An old name that is stated for another attribute isn't used for an element.
  private static func withElements(
    _ stated: [String: Set<String>], _ attributes: [Attribute]
  ) -> [String: Set<String>] {
    var whole = stated
    let claimed = stated.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for attribute in attributes where stated[attribute.name] == nil {
      guard let element = attribute.element, let old = stated[element.composite.name] else { continue }
      whole[attribute.name] = Set(old.map { "\($0).\(element.name)" }).subtracting(claimed)
    }
    return whole
  }

  /// Refuses to change a composite attribute into a plain one of the same name, and the reverse
  /// (docs/formats/inference.md 3.6).
  private mutating func refuseOtherForm(_ attribute: Attribute, in former: [Attribute]) {
    let whole = attribute.element?.composite ?? attribute
    guard holdsRows,
      let other = former.first(where: { other in
        !other.isTransient && (other.element == nil) != (attribute.element == nil)
          && (other.element?.composite ?? other).name == whole.name
      })
    else { return }
    let error = InferenceError.typeChanged(
      entity: destination.name, attribute: whole.name, formerly: whole.name,
      from: other.element == nil ? other.type : .composite, to: whole.type)
    if !refusals.contains(error) { refusals.append(error) }
  }

  private mutating func value(of attribute: Attribute, from: Attribute?) -> AttributeMapping.Value {
    do throws(InferenceError) {
      return try AttributeRule(entity: destination.name, holdsRows: holdsRows).value(of: attribute, from: from)
    } catch {
      refusals.append(error)
      return from.flatMap { $0.isTransient ? nil : .source($0.name) } ?? .defaultValue
    }
  }

  private mutating func noteNarrowing(_ from: Attribute, _ to: Attribute) {
    // A Boolean's column is an integer column, which may have any number in a damaged store.
    let whole = AttributeType.integer64.integerRange
    guard holdsRows, let former = from.type == .boolean ? whole : from.type.integerRange,
      let range = to.type.integerRange,
      range.lowerBound > former.lowerBound || range.upperBound < former.upperBound
    else { return }
    narrowings.append(
      InferredMapping.Narrowing(
        entityMapping: mapping.name, sourceEntity: source.name, sourceAttribute: from.name,
        destinationAttribute: to.name, range: range))
  }

  /// Lets derived attributes be computed again, instead of keeping their values, if their relationships changed.
  mutating func settleDerived(_ entities: EntityMatching) {
    for index in mapping.attributeMappings.indices {
      let name = mapping.attributeMappings[index].destinationName
      guard case .source = mapping.attributeMappings[index].value,
        let attribute = entities.destination.attribute(name, of: destination.name),
        let expression = attribute.derivationExpression
      else { continue }
      let words = Set(expression.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      let changed = mapping.relationshipMappings.contains { relationship in
        words.contains(relationship.destinationName)
          && (relationship.sourceName != relationship.destinationName
            || lostTargets.contains { $0.destinationRelationship == relationship.destinationName })
      }
      if changed { mapping.attributeMappings[index].value = .derived }
    }
  }
}
