internal import DecantModel
internal import PredicateFormat

extension OpenChangeFinder {
  /// An expression that an attribute can have, with its effect.
  struct ValueLine {
    let expression: String
    let meaning: String
    /// Whether the expression gives a value for each object.
    let isNeverNil: Bool

    init(_ expression: String, _ meaning: String, isNeverNil: Bool = false) {
      self.expression = expression
      self.meaning = meaning
      self.isNeverNil = isNeverNil
    }

    func with(_ constant: String) -> ValueLine {
      ValueLine(
        "coalesce(\(expression), \(constant))", "\(meaning), and a constant in place of nil", isNeverNil: true)
    }
  }

  mutating func add(_ drop: InferredMapping.Drop) {
    guard let property = drop.property else { return addEntity(drop) }
    for entity in drop.entities {
      guard let index = model.entityMappings.firstIndex(where: { $0.sourceEntityName == entity }) else {
        continue
      }
      let isAttribute = drop.kind == .attribute
      if isAttribute, drop.probableRename == nil, addMove(of: property, from: entity, index) { continue }
      let new = isAttribute ? emptyAttributes(index) : emptyRelationships(index)
      let places = places(for: drop, property, of: entity, index, among: new)
      var choices = places.map { place in
        let path = JSON5Text.quoted("\(FormatExpression.source(property))")
        return OpenChange.Choice(
          "\(JSON5Text.key(place.name)): " + (isAttribute ? "\(path)," : "{ path: \(path) },"),
          narrows(property, of: entity, to: place.name, index)
            ? "one of its objects; the others are losses (unlinked)"
            : place.likeness <= .sameLetters ? "probably the same under a new name" : "continues “\(property)”")
      }
      if isAttribute, let split = split(property, of: entity, index, among: places.map(\.name)) {
        choices.append(split)
      }
      if new.contains(property) {
        choices.append(.init("\(JSON5Text.key(property)): null,", "as the inferred step does"))
      }
      offered[index, default: []].formUnion(places.map(\.name))
      note(
        index, isAttribute ? \.attributes : \.relationships,
        lost("\(drop.kind.rawValue) “\(property)” of “\(entity)”") + taken(property, index),
        choices, of: places.map(\.name) + (new.contains(property) ? [property] : []), canStay: true)
    }
  }

  /// The choice that splits a string into several new attributes, with a line for each.
  private func split(
    _ property: String, of entity: String, _ index: Int, among places: [String]
  ) -> OpenChange.Choice? {
    guard places.count > 1, source.attribute(property, of: entity)?.type == .string else { return nil }
    let value = "\(FormatExpression.source(property))"
    let parts = places.enumerated().map { place, name in
      (name, value: "split(\(value), ' ', \(place == places.count - 1 ? -1 : place))")
    }
    guard parts.allSatisfy({ trial.accepts($0.value, attribute: $0.0, index) }) else { return nil }
    return OpenChange.Choice(
      parts.map { "\(JSON5Text.key($0.0)): \(JSON5Text.quoted($0.value))," },
      "one part of the text for each attribute, split at spaces; use all of these lines together")
  }

  /// The lines of a new attribute that take the values of dropped attributes.
  mutating func takes(_ name: String, _ index: Int) -> [ValueLine] {
    guard let entity = model.entityMappings[index].sourceEntityName else { return [] }
    let formers = drops.compactMap { drop -> (name: String, likeness: Likeness)? in
      guard drop.kind == .attribute, drop.entities.contains(entity), let property = drop.property,
        let likeness = likeness(drop, property, of: entity, to: name, index),
        trial.accepts("\(FormatExpression.source(property))", attribute: name, index)
      else { return nil }
      return (property, likeness)
    }.enumerated().sorted { ($0.element.likeness, $0.offset) < ($1.element.likeness, $1.offset) }
      .map(\.element).prefix(Self.candidates)
    var lines: [ValueLine] = []
    for former in formers {
      choicesForDropped[index, default: [:]][former.name, default: []].append(name)
      let value = "\(FormatExpression.source(former.name))"
      let attribute = source.attribute(former.name, of: entity)
      let isNeverNil = attribute?.isOptional == false
      lines.append(
        ValueLine(
          value,
          former.likeness <= .sameLetters
            ? "probably the same under a new name" : "the value of “\(former.name)”, which has no other place",
          isNeverNil: isNeverNil))
      guard attribute?.type == .string else { continue }
      lines.append(
        ValueLine(
          "split(\(value), ' ', 0)", "the part of “\(former.name)” before its first space",
          isNeverNil: isNeverNil))
      lines.append(
        ValueLine(
          "split(\(value), ' ', -1)", "the part of “\(former.name)” after its last space",
          isNeverNil: isNeverNil))
    }
    return lines
  }

  private func taken(_ property: String, _ index: Int) -> String {
    guard let names = choicesForDropped[index]?[property] else { return "" }
    return " A choice for \(names.map { "“\($0)”" }.joined(separator: " or ")) can take the values."
  }

  // MARK: Places

  /// How well a new property fits a dropped one, best first.
  enum Likeness: Int, Comparable {
    case renamed, sameLetters, sameType, sameKind

    static func < (first: Likeness, second: Likeness) -> Bool { first.rawValue < second.rawValue }
  }

  /// The new properties that can take the values of a dropped property, best first.
  private func places(
    for drop: InferredMapping.Drop, _ property: String, of entity: String, _ index: Int, among new: [String]
  ) -> [(name: String, likeness: Likeness)] {
    let fitting = new.compactMap { name -> (name: String, likeness: Likeness)? in
      // A property with an open change of its own isn't offered here. Several drops may offer the same property.
      guard
        changes.rows[index]?.undecided.contains(name) != true || offered[index]?.contains(name) == true,
        let likeness = likeness(drop, property, of: entity, to: name, index),
        drop.kind == .attribute
          ? trial.accepts("\(FormatExpression.source(property))", attribute: name, index)
          : trial.accepts(path: property, relationship: name, index)
      else { return nil }
      return (name, likeness)
    }
    return fitting.enumerated().sorted { ($0.element.likeness, $0.offset) < ($1.element.likeness, $1.offset) }
      .map(\.element).prefix(Self.candidates).map(\.self)
  }

  private func likeness(
    _ drop: InferredMapping.Drop, _ property: String, of entity: String, to name: String, _ index: Int
  ) -> Likeness? {
    if drop.probableRename == name { return .renamed }
    guard drop.kind == .attribute else { return .sameType }
    guard let former = source.attribute(property, of: entity),
      let new = model.entityMappings[index].destinationEntityName.flatMap({
        destination.attribute(name, of: $0)
      })
    else { return nil }
    if former.type == new.type {
      return NameLikeness(property).hasLetters(of: NameLikeness(name)) ? .sameLetters : .sameType
    }
    return former.type.isNumber && new.type.isNumber ? .sameKind : nil
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: true
    default: false
    }
  }
}
