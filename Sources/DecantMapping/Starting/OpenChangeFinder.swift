internal import DecantModel
internal import PredicateFormat

/// Collects the open changes of a starting mapping, with choices.
///
/// A property's expression or path is offered only if the check of mapping models accepts it.
struct OpenChangeFinder {
  let model: MappingModel
  var changes = OpenChanges()
  let trial: ChoiceTrial
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The entities and properties that inference drops.
  let drops: [InferredMapping.Drop]
  /// By the entity mapping's index, the new properties that were offered as a place for dropped values.
  var offered: [Int: Set<String>] = [:]
  /// By the entity mapping's index and the dropped attribute, the new attributes with a choice that takes the dropped
  /// values.
  var choicesForDropped: [Int: [String: [String]]] = [:]
  /// The largest number of candidates for one open change.
  static let candidates = 3

  init(
    _ model: MappingModel, from source: ManagedObjectModel,
    to destination: ManagedObjectModel, drops: [InferredMapping.Drop]
  ) {
    self.model = model
    self.drops = drops
    self.source = source
    self.destination = destination
    trial = ChoiceTrial(model, from: source, to: destination)
  }

  // MARK: Changes that can't be inferred

  mutating func add(_ refusal: InferenceError) {
    switch refusal {
    case .typeChanged(let entity, let name, let former, let from, let to):
      addAttribute(
        refusal, entity, name,
        ValueText.conversions(former, from: from, to: to).map {
          ValueLine(
            $0,
            $0.hasPrefix("parse")
              ? "the former value, converted; nil if this fails" : "the former value, converted")
        })
    case .requiredWithoutDefault(let entity, let name, false):
      guard let former = row(entity, name) else { return }
      addAttribute(refusal, entity, name, [])
      addFilter(entity, former, name)
    case .requiredWithoutDefault(let entity, let name, true):
      addAttribute(refusal, entity, name, index(of: entity).map { takes(name, $0) } ?? [])
    case .compositeChanged(let entity, let name),
      .transientBecameRequired(let entity, let name), .defaultOutOfRange(let entity, let name, _, _):
      addAttribute(refusal, entity, name, [])
    case .toManyBecameToOne(let entity, let name, let former):
      addRelationships(
        refusal, entity, [name], then: "The line keeps one of the objects; the others are losses (unlinked).",
        paths: [name: former])
    case .sharedRelationship(let entity, let former, let names):
      addRelationships(
        refusal, entity, names, then: "Without a choice each of these relationships gets the objects.",
        paths: Dictionary(names.map { ($0, former) }) { first, _ in first })
    case .mergedRelationships(let entity, let name, let former, _, _):
      addRelationships(
        refusal, entity, [name], then: "Without a choice both ends are set, one after the other.",
        paths: [name: former])
    case .sharedEntity(let former, let names): addSplit(refusal, former, names)
    case .severalSources(let name, let names): addUnion(refusal, names, into: [name])
    case .mergedHierarchies(let root, let names):
      addUnion(refusal, names, into: destination.family(of: root).map(\.name))
    }
  }

  /// Adds an open change for an attribute that becomes required, and whose default no expression can state.
  mutating func addDefault(of name: String, _ index: Int, formerly former: String) {
    let problem =
      "attribute “\(name)” becomes required, and its default can't be written in a text. Objects without "
      + "“\(former)” need a value."
    note(index, \.attributes, problem, attributeChoices(index, name, expressions: []), of: [name])
  }

  private func index(of entity: String) -> Int? {
    model.entityMappings.firstIndex { $0.destinationEntityName == entity }
  }

  func source(of entity: String) -> String? {
    index(of: entity).flatMap { model.entityMappings[$0].sourceEntityName }
  }

  private func row(_ entity: String, _ name: String) -> String? {
    guard let index = index(of: entity),
      let row = model.entityMappings[index].attributeMappings.first(where: { $0.destinationName == name }),
      case .expression(let expression) = row.value
    else { return nil }
    return expression.sourceKeys?.first
  }

  private mutating func addAttribute(
    _ refusal: InferenceError, _ entity: String, _ name: String,
    _ expressions: [ValueLine]
  ) {
    guard let index = index(of: entity) else { return }
    let choices = attributeChoices(index, name, expressions: expressions)
    note(index, \.attributes, sentence(refusal), choices, of: [name])
  }

  /// The lines for an attribute: the given expressions first, the attribute's default last.
  private func attributeChoices(
    _ index: Int, _ name: String, expressions: [ValueLine]
  ) -> [OpenChange.Choice] {
    let entity = model.entityMappings[index].destinationEntityName ?? ""
    guard let attribute = destination.attribute(name, of: entity) else { return [] }
    let constant = attribute.defaultValue.flatMap(ValueText.of) ?? ValueText.example(attribute.type)
    var lines = expressions
    if !attribute.isOptional, let constant {
      lines = expressions.map { $0.isNeverNil ? $0 : $0.with(constant) }
      if let former = row(entity, name), expressions.isEmpty {
        lines.append(
          ValueLine(
            "coalesce(\(FormatExpression.source(former)), \(constant))",
            "the former value, and a constant for nil"))
      }
    }
    if let constant {
      lines.append(
        ValueLine(
          constant,
          attribute.type == .uuid && attribute.defaultValue == nil
            ? "a new one for each object" : "the same value for every object"))
    }
    var seen: Set<String> = []
    var choices = lines.filter { line in
      seen.insert(line.expression).inserted && trial.accepts(line.expression, attribute: name, index)
    }.map { OpenChange.Choice("\(JSON5Text.key(name)): \(JSON5Text.quoted($0.expression)),", $0.meaning) }
    if trial.accepts(nil, attribute: name, index) {
      choices.append(
        .init("\(JSON5Text.key(name)): null,", attribute.defaultValue == nil ? "no value" : "its default"))
    }
    return choices
  }

  private mutating func addFilter(_ entity: String, _ former: String, _ name: String) {
    guard let index = index(of: entity), let predicate = try? FormatPredicate(parsing: "\(former) != nil")
    else {
      return
    }
    note(
      index, \.keys, "Instead of giving “\(name)” a value, you can leave objects without “\(former)” behind.",
      [.init("filter: \(JSON5Text.quoted("\(predicate)")),", "they are losses (filters)")])
  }

  private mutating func addRelationships(
    _ refusal: InferenceError, _ entity: String, _ names: [String], then: String, paths: [String: String]
  ) {
    guard let index = index(of: entity) else { return }
    let choices = names.flatMap { name -> [OpenChange.Choice] in
      let path = paths[name] ?? name
      let key = JSON5Text.key(name)
      let text = JSON5Text.quoted("\(FormatExpression.source(path))")
      return
        (trial.accepts(path: path, relationship: name, index)
        ? [.init("\(key): { path: \(text) },", "the objects of “\(path)”")] : [])
        + [.init("\(key): null,", "it starts empty")]
    }
    note(
      index, \.relationships, "\(sentence(refusal)) \(then)", choices, of: names,
      decision: names.count > 1 ? .oneForEachName : nil)
  }

  // MARK: Whole entities

  /// Several entity mappings take the same objects: each becomes a choice.
  private mutating func addSplit(_ refusal: InferenceError, _ former: String, _ names: [String]) {
    let places = names.compactMap(index)
    guard !places.isEmpty else { return }
    for place in places { changes.rows[place, default: .init()].isComment = true }
    let rules = WritingRules(model, source: source, destination: destination)
    let choices = places.map { place in
      let text = EntityMappingText(mapping: model.entityMappings[place], index: place, rules: rules)
      return OpenChange.Choice(
        text.lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) },
        "all objects of “\(former)”")
    }
    changes.entities.append(
      OpenChange(
        problem:
          "\(sentence(refusal)) To divide the objects, each entity mapping needs a filter for its part, such as "
          + "filter: \"kind == 1\".", choices: choices, decision: .oneOrParts))
  }

  /// Several entities come into one table: their entity mappings stay, and each can be replaced by a removal.
  private mutating func addUnion(_ refusal: InferenceError, _ names: [String], into new: [String]) {
    let sources = Set(
      names.flatMap { name in (source.root(of: name).map { source.family(of: $0.name) } ?? []).map(\.name) })
    let taken = model.entityMappings.filter { mapping in
      mapping.destinationEntityName.map(new.contains) == true
        && mapping.sourceEntityName.map { sources.contains($0) } == true
    }.compactMap(\.sourceEntityName)
    guard taken.count > 1 else { return }
    changes.entities.append(
      OpenChange(
        problem:
          "\(sentence(refusal)) The entity mappings below do that: the objects of the first entity mapping keep their "
          + "keys, and all other objects get new keys, so that their URIs change. If that is right, remove this "
          + "comment.",
        choices: taken.map { .init("{ remove: \(JSON5Text.quoted($0)) },", "no objects of “\($0)”") },
        decision: .unwanted))
  }

  // MARK: Losses

  mutating func addEntity(_ drop: InferredMapping.Drop) {
    guard !drop.entities.isEmpty else { return }
    let text = JSON5Text.quoted(drop.entity)
    var names = destination.entities.filter { entity in
      !entity.isAbstract && source(of: entity.name) == nil
    }.map(\.name)
    if let rename = drop.probableRename { names = [rename] + names.filter { $0 != rename } }
    let choices = names.filter { trial.accepts(entity: drop.entity, into: $0) }.prefix(Self.candidates).map {
      name in
      OpenChange.Choice(
        "{ source: \(text), destination: \(JSON5Text.quoted(name)) },",
        name == drop.probableRename ? "probably the same under a new name" : "its objects become “\(name)”")
    }
    changes.entities.append(
      OpenChange(
        problem: "entity “\(drop.entity)” "
          + (drop.cause == .becameAbstract ? "becomes abstract" : "isn't continued")
          + ", so that its objects have no place in the new version.",
        choices: choices + [.init("{ remove: \(text) },", "its objects are removed")]))
  }

  func narrows(_ former: String, of entity: String, to name: String, _ index: Int) -> Bool {
    source.relationship(former, of: entity)?.isToMany == true
      && model.entityMappings[index].destinationEntityName.flatMap { destination.relationship(name, of: $0) }?
        .isToMany == false
  }

  func emptyAttributes(_ index: Int) -> [String] {
    model.entityMappings[index].attributeMappings.filter { $0.value == .unset }.map(\.destinationName)
  }

  func emptyRelationships(_ index: Int) -> [String] {
    model.entityMappings[index].relationshipMappings.filter { $0.value == .unset }.map(\.destinationName)
  }

  // MARK: Texts

  func lost(_ what: String) -> String {
    "\(what) has no place in the new version, so that its values are lost. If that is intended, name it in "
      + "“acceptedLosses” of family.json5, and remove this comment."
  }

  private func sentence(_ refusal: InferenceError) -> String { "\(refusal.change)." }

  mutating func note(
    _ index: Int, _ place: WritableKeyPath<OpenChanges.Rows, [OpenChange]>, _ problem: String,
    _ choices: [OpenChange.Choice], of names: [String] = [], decision: OpenChange.Decision? = nil,
    canStay: Bool = false
  ) {
    var rows = changes.rows[index] ?? OpenChanges.Rows()
    rows[keyPath: place].append(
      OpenChange(problem: problem, choices: choices, decision: decision, canStay: canStay))
    rows.undecided.formUnion(names)
    changes.rows[index] = rows
  }
}
