internal import DecantModel
internal import Foundation
internal import PredicateFormat

/// Reads one entity mapping of a mapping model as text.
///
/// `{ add: "New" }` is short for a mapping with only a destination, and `{ remove: "Old" }` for one with only a source.
struct TextEntityMapping {
  static let keys = [
    "name", "source", "destination", "add", "remove", "type", "filter", "uniqueBy", "policy", "chunks",
    "attributes",
    "relationships", "userInfo", "sourceHash", "destinationHash", "sourceExpression",
  ]

  let object: TextObject
  private var mapping = EntityMappingDraft()

  init(_ object: TextObject) {
    self.object = object
    mapping.mapsUnnamed = true
  }

  /// The readable part of the entity mapping; faults are added to the file's list of faults.
  func draft() -> EntityMappingDraft {
    var reader = self
    reader.read()
    return reader.mapping
  }

  var what: String { "entity mapping “\(mapping.compiledName)”" }

  private mutating func read() {
    let object = object
    let isWhole = object.attemptKeys(Self.keys, of: Self.what(object))
    var parts = [isWhole]
    var choice: [Bool] = []
    parts.append(object.attempt { () throws(MappingModelError) in try takeEntities(isWhole: isWhole) })
    parts.append(object.attempt { () throws(MappingModelError) in mapping.type = try type() })
    choice.append(
      object.attempt { () throws(MappingModelError) in
        mapping.filter = try object.predicate("filter", "\(what), filter")
        if mapping.filter == .always { mapping.filter = nil }
      })
    choice.append(
      object.attempt { () throws(MappingModelError) in
        mapping.uniqueBy = try object.expression("uniqueBy", "\(what), uniqueBy")
      })
    choice.append(object.attempt { () throws(MappingModelError) in try takeSource() })
    parts.append(object.attempt { () throws(MappingModelError) in try takePolicy() })
    object.attempt { () throws(MappingModelError) in mapping.chunks = try chunks() }
    object.attempt { () throws(MappingModelError) in mapping.sourceHash = try hash("sourceHash") }
    object.attempt { () throws(MappingModelError) in mapping.destinationHash = try hash("destinationHash") }
    object.attempt { () throws(MappingModelError) in try takeUserInfo() }
    parts.append(object.attempt { () throws(MappingModelError) in try takeAttributes() })
    parts.append(object.attempt { () throws(MappingModelError) in try takeRelationships() })
    mapping.isWhole = !parts.contains(false)
    mapping.isChoiceUnread = choice.contains(false)
  }

  private static func what(_ object: TextObject) -> String {
    var draft = EntityMappingDraft()
    draft.name = object.entries["name"]?.string
    draft.sourceEntityName = (object.entries["source"] ?? object.entries["remove"])?.string
    draft.destinationEntityName = (object.entries["destination"] ?? object.entries["add"])?.string
    return draft.compiledName.isEmpty ? "the entity mapping" : "entity mapping “\(draft.compiledName)”"
  }

  /// - Parameter isWhole: Whether all keys are known. If not, a missing key may be misspelt, and isn't reported.
  private mutating func takeEntities(isWhole: Bool) throws(MappingModelError) {
    mapping.name = try object.text("name")
    mapping.sourceEntityName = try object.text("source", "an entity's name in quotes")
    mapping.destinationEntityName = try object.text("destination", "an entity's name in quotes")
    let given = mapping.sourceEntityName != nil || mapping.destinationEntityName != nil
    for (key, isAdding) in [("add", true), ("remove", false)] {
      guard let entity = try object.text(key, "an entity's name in quotes") else { continue }
      guard !given, object.entries["add"] == nil || object.entries["remove"] == nil else {
        throw object.fault(
          "“\(key)” is short for “\(isAdding ? "destination" : "source")” and allows no other entity",
          at: .key(key))
      }
      if isAdding { mapping.destinationEntityName = entity } else { mapping.sourceEntityName = entity }
    }
    guard !isWhole || mapping.sourceEntityName != nil || mapping.destinationEntityName != nil else {
      throw object.fault("an entity mapping needs a “source”, a “destination” or both")
    }
  }

  private mutating func takeSource() throws(MappingModelError) {
    guard let expression = try object.expression("sourceExpression", "\(what), sourceExpression") else {
      return
    }
    guard mapping.filter == nil else {
      throw object.fault(
        "“filter” and “sourceExpression” both say which objects are taken: leave one out",
        at: .key("sourceExpression"))
    }
    do throws(FormatError) {
      try mapping.takeSource(expression)
    } catch {
      throw object.fault(
        "\(what), sourceExpression: its predicate can't be read: \(error.sentence)",
        at: .key("sourceExpression"))
    }
  }

  private func type() throws(MappingModelError) -> EntityMappingType {
    guard let word = try object.text("type") else { return .undefined }
    let types = EntityMappingType.allCases.filter { $0 != .undefined }
    guard let type = types.first(where: { "\($0)" == word }) else {
      throw object.fault(
        "“type” must be one of: \(listed(types.map { "\($0)" }))", at: .key("type"))
    }
    return type
  }

  /// Reads `policy`: a class's name, or `{ program: ["python3", "policy.py"], timeLimit: 600 }`.
  private mutating func takePolicy() throws(MappingModelError) {
    switch object.entries["policy"] {
    case nil, .null: break
    case .string(let name) where !name.isEmpty: mapping.policy = .named(name)
    case .object:
      guard let policy = try object.object("policy") else { return }
      try policy.allow(["program", "timeLimit"], of: "“policy”")
      guard policy.entries["program"] != nil else {
        throw object.fault(
          "“policy” has no “program”: write { program: [\"python3\", \"policy.py\"] }, or a class's name in quotes",
          at: .key("policy"))
      }
      guard let words = policy.entries["program"]?.strings, let first = words.first, !first.isEmpty,
        words.count <= MappingLimits.programWords
      else {
        throw policy.fault(
          "“program” must be a list of texts: the program, which must not be empty, and its arguments",
          at: .key("program"))
      }
      mapping.programTimeLimit = try timeLimit(of: policy)
      mapping.policy = .program(words)
    default:
      throw object.fault(
        "“policy” must be a class's name in quotes or { program: [ … ] }", at: .key("policy"))
    }
  }

  private func timeLimit(of policy: TextObject) throws(MappingModelError) -> Double? {
    let seconds: Double? =
      switch policy.entries["timeLimit"] {
      case nil, .null: nil
      case .integer(let number): Double(number)
      case .number(let number): number
      default: .nan
      }
    guard let seconds else { return nil }
    guard seconds.isFinite, seconds > 0, seconds <= MappingLimits.programSeconds else {
      throw policy.fault(
        "“timeLimit” must be a number of seconds above 0, \(Int(MappingLimits.programSeconds)) (a day) at most",
        at: .key("timeLimit"))
    }
    return seconds
  }

  /// Reads `chunks`: `{ size: 5000 }`, or a list of predicates.
  private func chunks() throws(MappingModelError) -> EntityMapping.Chunks {
    switch object.entries["chunks"] {
    case nil, .null: return .automatic
    case .object:
      guard let chunks = try object.object("chunks") else { return .automatic }
      try chunks.allow(["size"], of: "“chunks”")
      guard let size = try chunks.integer("size"), MappingLimits.chunkRows.contains(size) else {
        let member: JSON5Step? = chunks.entries["size"].map { _ in .key("size") }
        throw chunks.fault(
          "“chunks” needs “size”, a whole number from 1 to \(MappingLimits.chunkRows.upperBound)", at: member)
      }
      return .size(size)
    case .array(let elements):
      guard !elements.isEmpty, elements.count <= MappingLimits.chunkPredicates else {
        throw object.fault(
          "“chunks” must hold from 1 to \(MappingLimits.chunkPredicates) predicates", at: .key("chunks"))
      }
      var predicates: [FormatPredicate] = []
      for (index, element) in elements.enumerated() {
        guard let text = element.string else {
          throw object.fault(
            "member \(index + 1) of “chunks” must be a predicate in quotes", at: .key("chunks"))
        }
        predicates.append(
          try object.predicate(
            parsing: text, at: [.key("chunks"), .index(index)], "\(what), chunk \(index + 1)"))
      }
      return .predicates(predicates)
    default:
      throw object.fault("“chunks” must be { size: … } or a list of predicates", at: .key("chunks"))
    }
  }

  private func hash(_ key: String) throws(MappingModelError) -> VersionHash? {
    guard let text = try object.text(key) else { return nil }
    guard let hash = VersionHash(hexadecimal: text) else {
      throw object.fault("“\(key)” must be a version hash: 64 hexadecimal digits in quotes", at: .key(key))
    }
    return hash
  }

  private mutating func takeUserInfo() throws(MappingModelError) {
    guard let info = try object.object("userInfo") else { return }
    for (key, value) in info.inOrder {
      guard let text = value.string else {
        throw info.fault("“\(key)” must be a text in quotes", at: .key(key))
      }
      mapping.userInfo[key] = text
    }
  }

  private mutating func takeAttributes() throws(MappingModelError) {
    guard let attributes = try object.object("attributes") else { return }
    for (name, value) in attributes.inOrder {
      switch value {
      case .null: mapping.attributes[name] = .unset
      case .string(let text):
        let isRead = attributes.attempt { () throws(MappingModelError) in
          mapping.attributes[name] = .expression(
            try attributes.expression(parsing: text, at: [.key(name)], "\(what), attribute “\(name)”"))
        }
        if !isRead { mapping.unreadRows.insert(name) }
      default:
        mapping.unreadRows.insert(name)
        attributes.attempt { () throws(MappingModelError) in
          throw attributes.fault(
            "attribute “\(name)” must have an expression in quotes, such as \"$source.name\", or null for its default",
            at: .key(name))
        }
      }
    }
  }

  private mutating func takeRelationships() throws(MappingModelError) {
    guard let relationships = try object.object("relationships") else { return }
    for (name, value) in relationships.inOrder {
      let isRead = relationships.attempt { () throws(MappingModelError) in
        mapping.relationships[name] = try row(name, value, of: relationships)
      }
      if !isRead { mapping.unreadRows.insert(name) }
    }
  }

  private func row(
    _ name: String, _ value: JSON5Value, of relationships: TextObject
  ) throws(MappingModelError) -> EntityMappingDraft.RelationshipValue {
    let what = "\(what), relationship “\(name)”"
    switch value {
    case .null: return .unset
    case .string(let text):
      return .expression(try relationships.expression(parsing: text, at: [.key(name)], what))
    case .object:
      guard let rule = try relationships.object(name) else { return .unset }
      try rule.allow(["path", "mapping"], of: "relationship “\(name)”")
      return .rule(path: try rule.expression("path", "\(what), path"), mapping: try mappingName(rule))
    default:
      throw relationships.fault(
        "relationship “\(name)” must have an expression in quotes, { path: …, mapping: … }, or null to start empty",
        at: .key(name))
    }
  }

  private func mappingName(_ rule: TextObject) throws(MappingModelError) -> EntityMappingDraft.MappingName {
    switch rule.entries["mapping"] {
    case nil: return .rule
    case .null: return .any
    default: return try rule.text("mapping", "an entity mapping's name in quotes").map { .named($0) } ?? .rule
    }
  }
}
