import DecantModel
import Testing

@testable import DecantMapping

/// Source properties that no mapping model reads.
@Suite("Unread properties") struct UnreadPropertiesTests {
  /// The unread properties as `Note.title`, or as `(Note.title)` if code could read it.
  private func unread(_ mappings: String, header: String = "") throws -> [String] {
    let (source, destination) = try checkedModels()
    let text = "{ source: \"One\", destination: \"Two\", \(header) entityMappings: [\(mappings)] }"
    let model = try readText(text).compiled(from: source, to: destination)
    let unread = UnreadProperties([model], from: source, to: destination)
    let names =
      unread.lost.map { "\($0.entity).\($0.name)" } + unread.seenByCode.map { "(\($0.entity).\($0.name))" }
    // The destination lacks Person.notes in every test. Other tests check relationships.
    return names.filter { !$0.contains("Person.notes") }
  }

  /// An entity mapping for `Note` in which all attributes except those in `rows` get nil.
  private func notes(_ rows: String, _ keys: String = "") -> String {
    let empty = ["kind", "title", "count", "when", "small"].filter { !rows.contains("\($0):") }
      .map { "\($0): null" }
    return "{ source: 'Note', destination: 'Note', \(keys) "
      + "attributes: { \(([rows] + empty).filter { !$0.isEmpty }.joined(separator: ", ")) } }"
  }

  @Test("properties that are mapped by their names are read") func standardRows() throws {
    #expect(
      try unread("\(mappedPeople) { source: 'Note', destination: 'Note' }") == ["Note.file", "Note.rate"])
  }

  @Test(
    "an expression, a filter and uniqueBy read the properties in them",
    arguments: [
      ("", "", ["count", "file", "rate", "title", "when"]),
      ("title: '$source.title'", "", ["count", "file", "rate", "when"]),
      ("title: 'uppercase($source.title)'", "", ["count", "file", "rate", "when"]),
      ("count: 'TERNARY($source.rate > 1, 1, $source.count)'", "", ["file", "title", "when"]),
      ("", "filter: 'rate > 1 AND NOT title == nil',", ["count", "file", "when"]),
      ("", "filter: 'SELF.rate > 1',", ["count", "file", "title", "when"]),
      ("", "uniqueBy: '$source.title',", ["count", "file", "rate", "when"]),
      ("", "uniqueBy: 'title',", ["count", "file", "rate", "when"]),
      // The comparison after FALSEPREDICATE is never evaluated.
      ("", "filter: 'FALSEPREDICATE AND rate > 1',", ["count", "file", "rate", "title", "when"]),
      // Reading a property in a chunk's predicate doesn't keep its values.
      ("", "chunks: ['rate > 1', 'NOT rate > 1'],", ["count", "file", "rate", "title", "when"]),
      ("title: \"FUNCTION($source, 'valueForKey:', 'title')\"", "", ["count", "file", "rate", "when"]),
    ])
  func readings(rows: String, keys: String, expected: [String]) throws {
    // The abstract parent entity Thing declares “kind”.
    #expect(
      try unread("\(mappedPeople) \(notes(rows, keys))")
        == expected.map { "Note.\($0)" } + ["Thing.kind"])
  }

  @Test("a path reads properties of the objects that it leads to") func paths() throws {
    let people = "{ source: 'Person', destination: 'Person', attributes: { name: \"'x'\" } },"
    let tags = "{ source: 'Tag', destination: 'Tag', attributes: { word: null } },"
    func rest(_ title: String) throws -> [String] {
      try unread("\(people) \(tags) \(notes("title: \"\(title)\""))").filter { !$0.hasPrefix("Note.") }
    }
    #expect(try rest("'x'") == ["Person.name", "Tag.word", "Thing.kind"])
    #expect(try rest("$source.author.name") == ["Tag.word", "Thing.kind"])
    #expect(try rest("CAST($source.tags.@count, 'NSString')") == ["Person.name", "Tag.word", "Thing.kind"])
    #expect(
      try rest("CAST($source.tags.@max.word, 'NSString')") == ["Person.name", "Thing.kind"])
    #expect(
      try rest("CAST(SUBQUERY($source.tags, $t, $t.word == 'x').@count, 'NSString')")
        == ["Person.name", "Thing.kind"])
    #expect(try rest("$source.author.notes.tags.word[FIRST]") == ["Person.name", "Thing.kind"])
  }

  @Test("a relationship is unread if neither it nor its inverse is mapped") func inverses() throws {
    func model(_ inverse: String?) throws -> ManagedObjectModel {
      try DecantMappingTests.model(
        entity("Note", [], [toOne("author", "Person", inverse: inverse)]),
        entity("Person", [], inverse.map { [toMany($0, "Note", inverse: "author")] } ?? []))
    }
    func unread(_ source: ManagedObjectModel, _ mappings: String) throws -> [String] {
      let destination = try DecantMappingTests.model(entity("Note"), entity("Person"))
      let text = "{ source: \"One\", destination: \"Two\", entityMappings: [\(mappings)] }"
      let model = try readText(text).compiled(from: source, to: destination)
      return UnreadProperties([model], from: source, to: destination).lost.map { "\($0.entity).\($0.name)" }
    }
    let note = "{ source: 'Note', destination: 'Note' }"
    let person = "{ source: 'Person', destination: 'Person' }"
    let reading = "{ source: 'Person', destination: 'Person', filter: 'notes.@count >= 0' }"
    #expect(try unread(model("notes"), "\(note), \(person)") == ["Note.author", "Person.notes"])
    // Reading a relationship in a filter doesn't keep its pairs.
    #expect(try unread(model("notes"), "\(note), \(reading)") == ["Note.author", "Person.notes"])
    #expect(try unread(model(nil), "\(note), \(person)") == ["Note.author"])
    // Pairs of objects that aren't mapped are lost with these objects, and aren't unread.
    #expect(try unread(model("notes"), "\(note), { remove: 'Person' }") == [])
    #expect(try unread(model("notes"), note) == [])
  }

  @Test("a policy may read its source objects and the objects that they lead to") func policies() throws {
    let person = "{ source: 'Person', destination: 'Person', attributes: { name: null } },"
    let tag = "{ source: 'Tag', destination: 'Tag', attributes: { word: null } },"
    let all = ["Person.name", "Tag.word", "Note.count", "Note.file", "Note.rate", "Note.title", "Note.when"]
    #expect(
      Set(try unread("\(person) \(tag) \(notes("", "policy: 'P',"))"))
        == Set((all + ["Thing.kind"]).map { "(\($0))" }))
    // Tag has no relationships, so that the policy can't reach other objects.
    let tagByPolicy = "{ source: 'Tag', destination: 'Tag', policy: 'P', attributes: { word: null } },"
    #expect(
      Set(try unread("\(person) \(tagByPolicy) \(notes(""))"))
        == Set(all.map { $0 == "Tag.word" ? "(\($0))" : $0 } + ["Thing.kind"]))
    // A program gets only its own objects' values, and the entity mapping's rows aren't evaluated.
    let program = "policy: { program: ['sh'] },"
    #expect(
      Set(try unread("\(person) \(tag) { source: 'Note', destination: 'Note', \(program) }"))
        == Set(
          all.map { $0.hasPrefix("Note.") ? "(\($0))" : $0 } + ["(Thing.kind)", "(Note.author)", "(Note.tags)"])
    )
    // A function of the app may read all of an object, but only the given value otherwise.
    let given = "title: \"FUNCTION(CAST('App', 'Class'), 'of:', $source)\""
    #expect(try unread("\(mappedPeople) \(notes(given))").contains("(Note.when)"))
    let value = "title: \"FUNCTION(CAST('App', 'Class'), 'of:', $source.title)\""
    #expect(try unread("\(mappedPeople) \(notes(value))").contains("Note.when"))
  }

  @Test("a property is read if one of several entity mappings reads it") func together() throws {
    #expect(
      try unread(
        "\(mappedPeople) \(notes("title: '$source.title'", "name: 'A', filter: 'rate > 1',")), "
          + notes("count: '$source.count'", "name: 'B', filter: 'NOT rate > 1',"))
        == ["Note.file", "Note.when", "Thing.kind"])
  }

  @Test("losses of the entity mappings that “others” adds aren't reported again") func others() throws {
    #expect(
      try unread(
        "{ source: 'Tag', destination: 'Tag', attributes: { word: null } }", header: "others: 'infer',")
        == ["Tag.word"])
  }

  @Test("a composite attribute's name reads all of its elements, and a path reads one") func composites() throws
  {
    var author = optional("author", .composite)
    author.elements = [optional("first"), optional("last")]
    let source = try model(entity("Note", [author, optional("title")]))
    let destination = try model(entity("Note", [optional("title")]))
    func unread(_ expression: String) throws -> [String] {
      let text =
        "{ source: \"One\", destination: \"Two\", entityMappings: [{ source: 'Note', destination: 'Note', attributes: "
        + "{ title: \"\(expression)\" } }] }"
      let model = try readText(text).compiled(from: source, to: destination)
      return UnreadProperties([model], from: source, to: destination).lost.map { "\($0.entity).\($0.name)" }
    }
    #expect(try unread("$source.title") == ["Note.author.first", "Note.author.last"])
    #expect(try unread("$source.author.last") == ["Note.author.first", "Note.title"])
    #expect(try unread("noindex($source.author)") == ["Note.title"])
  }
}
