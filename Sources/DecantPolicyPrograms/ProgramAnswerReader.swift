internal import DecantMapping
internal import DecantModel
internal import PredicateFormat

/// Makes an answer from the lines that a program writes about one batch.
struct ProgramAnswerReader {
  enum Fault: Error, Sendable, Hashable {
    case notJSON(ProgramJSON.Problem)
    /// A violation of the protocol, with the path of keys to the faulty value.
    case malformed(String, at: [String] = [])
    case refused(String)
  }

  let model: ManagedObjectModel
  let number: Int
  let keys: Set<Int64>
  private(set) var answer = PolicyProgramAnswer()

  init(model: ManagedObjectModel, number: Int, keys: Set<Int64>) {
    self.model = model
    self.number = number
    self.keys = keys
  }

  /// Reads a line; true for the last line of the answer.
  mutating func take(_ line: ProgramLines.Line) throws(Fault) -> Bool {
    let members = try Self.members(line.bytes)
    if members["entity"] != nil {
      answer.objects.append(try object(members, line: line.number))
    } else if members["from"] != nil {
      answer.links.append(try link(members, line: line.number))
    } else if let end = members["end"] {
      guard members.count == 1, end == .number("\(number)") else {
        throw .malformed(
          "“end” has to be the number of the batch, \(number), and has to stand alone", at: ["end"])
      }
      return true
    } else {
      throw .malformed("it has neither “entity” (an object) nor “from” (a link) nor “end”")
    }
    return false
  }

  static func members(_ line: [UInt8]) throws(Fault) -> [String: ProgramJSON] {
    let json: ProgramJSON
    do throws(ProgramJSON.Problem) {
      json = try ProgramJSON(line)
    } catch {
      throw .notJSON(error)
    }
    guard case .object(let members) = json else {
      throw .malformed("it is \(json.kind), where an object is wanted")
    }
    if case .string(let message)? = members["error"], members.count == 1 { throw .refused(message) }
    return members
  }

  private static func hint(_ name: String, _ names: [String]) -> String {
    NearName.of(name, among: names).map { "; perhaps “\($0)” is meant" } ?? ""
  }

  private static func allow(
    _ keys: Set<String>, in members: [String: ProgramJSON], _ what: String, at path: [String] = []
  ) throws(Fault) {
    if let unknown = members.keys.filter({ !keys.contains($0) }).min() {
      throw .malformed(
        "\(what) has no key “\(unknown)”" + hint(unknown, keys.sorted()), at: path + [unknown])
    }
  }

  private func object(_ members: [String: ProgramJSON], line: Int) throws(Fault) -> PolicyProgramAnswer.Object {
    try Self.allow(["id", "source", "entity", "values"], in: members, "an object")
    guard case .string(let name)? = members["entity"] else {
      let found = members["entity"]?.kind ?? "missing"
      throw .malformed("“entity” is \(found), where an entity's name is wanted", at: ["entity"])
    }
    guard let entity = model.entity(named: name) else {
      throw .malformed(
        "the destination model has no entity “\(name)”" + Self.hint(name, model.entities.map(\.name)),
        at: ["entity"])
    }
    if entity.isAbstract {
      throw .malformed("“\(name)” is abstract, and has no objects of its own", at: ["entity"])
    }
    let source = try key(members["source"] ?? .null, at: ["source"])
    if let source, !keys.contains(source) {
      throw .malformed("the source object \(source) isn't one of this batch", at: ["source"])
    }
    var values: [String: Value] = [:]
    switch members["values"] {
    case .object(let given)?:
      for key in given.keys.sorted() { values[key] = try value(given[key] ?? .null, of: key, in: name) }
    case nil: break
    case let other?: throw .malformed("“values” is \(other.kind), where an object is wanted", at: ["values"])
    }
    return PolicyProgramAnswer.Object(
      id: try id(members["id"] ?? .null, at: ["id"]), source: source, entity: name, values: values, line: line)
  }

  private func value(_ json: ProgramJSON, of key: String, in entity: String) throws(Fault) -> Value {
    let path = ["values", key]
    guard let attribute = model.attribute(key, of: entity), !attribute.isTransient else {
      throw .malformed(
        model.relationship(key, of: entity) == nil
          ? "“\(entity)” has no attribute “\(key)”" + hint(key, of: entity)
          : "“\(entity).\(key)” is a relationship: set it with a link", at: path)
    }
    if attribute.isDerived {
      throw .malformed("“\(entity).\(key)” is derived from others and can't be set", at: path)
    }
    guard let value = ProgramValue.value(json, for: attribute.type) else {
      throw .malformed(
        "“\(entity).\(key)” is of type \(attribute.type.name), and takes \(ProgramValue.form(attribute.type)), not "
          + json.kind, at: path)
    }
    return value
  }

  private func hint(_ name: String, of entity: String) -> String {
    let own = Self.hint(name, model.attributes(of: entity).map(\.name))
    let others = model.relationships(of: entity).map(\.name)
    guard own.isEmpty, let near = NearName.of(name, among: others) else { return own }
    return "; perhaps the relationship “\(near)” is meant, which a link sets"
  }

  private func link(_ members: [String: ProgramJSON], line: Int) throws(Fault) -> PolicyProgramAnswer.Link {
    try Self.allow(["from", "relationship", "to"], in: members, "a link")
    guard case .string(let relationship)? = members["relationship"] else {
      let found = members["relationship"]?.kind ?? "missing"
      throw .malformed(
        "“relationship” is \(found), where a relationship's name is wanted", at: ["relationship"])
    }
    guard model.entities.contains(where: { model.relationship(relationship, of: $0.name) != nil }) else {
      let names = model.entities.flatMap { model.relationships(of: $0.name).map(\.name) }
      throw .malformed(
        "the destination model has no relationship “\(relationship)”" + Self.hint(relationship, names),
        at: ["relationship"])
    }
    return PolicyProgramAnswer.Link(
      from: try reference(members["from"], "from"), relationship: relationship,
      to: try reference(members["to"], "to"), line: line)
  }

  /// `{"id": "a"}`, `{"source": 5}`, `{"source": 5, "mapping": "NotaToCategoria"}`.
  private func reference(_ json: ProgramJSON?, _ end: String) throws(Fault) -> PolicyProgramAnswer.Reference {
    guard case .object(let members)? = json else {
      throw .malformed(
        "“\(end)” has to be an object as {\"id\": …} or {\"source\": …, \"mapping\": …}", at: [end])
    }
    try Self.allow(["id", "source", "mapping"], in: members, "“\(end)”", at: [end])
    if let id = try id(members["id"] ?? .null, at: [end, "id"]) {
      guard members.count == 1 else { throw .malformed("“\(end)” has an “id” and something else", at: [end]) }
      return .made(id)
    }
    guard let source = try key(members["source"] ?? .null, at: [end, "source"]) else {
      throw .malformed("“\(end)” has neither “id” nor “source”", at: [end])
    }
    switch members["mapping"] {
    case nil, .null?: return .source(source, mapping: nil)
    case .string(let name)?: return .source(source, mapping: name)
    case let other?:
      throw .malformed(
        "“mapping” is \(other.kind), where an entity mapping's name is wanted", at: [end, "mapping"])
    }
  }

  private func key(_ json: ProgramJSON, at path: [String]) throws(Fault) -> Int64? {
    switch json {
    case .null: return nil
    case .number(let text):
      if let key = Int64(text) { return key }
    default: break
    }
    throw .malformed("“source” is \(json.kind), where a source object's key is wanted", at: path)
  }

  private func id(_ json: ProgramJSON, at path: [String]) throws(Fault) -> String? {
    switch json {
    case .null: return nil
    case .string(let text):
      if text.utf8.count <= 1000 { return text }
      throw .malformed("an “id” has more than 1000 bytes", at: path)
    // The numbers 1 and 1.0 and the text "1" might mean one object or three, so only texts are accepted.
    case .number(let text):
      throw .malformed("“id” is the number \(text), where a text is wanted: \"\(text)\"", at: path)
    default: throw .malformed("“id” is \(json.kind), where a text is wanted", at: path)
    }
  }
}
