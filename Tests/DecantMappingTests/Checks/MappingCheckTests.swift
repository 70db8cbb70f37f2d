import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// What is wrong with a mapping model, without a row being looked at.
@Suite struct MappingCheckTests {
  /// The findings of a text as `severity mapping.property: problem. advice`.
  private func findings(
    _ mappings: String, from source: ManagedObjectModel? = nil, to destination: ManagedObjectModel? = nil,
    header: String = "", passes: [MappingModel] = []
  ) throws -> [String] {
    let (from, to) = try Self.models()
    let (source, destination) = (source ?? from, destination ?? to)
    let text = "{ source: \"One\", destination: \"Two\", \(header) entityMappings: [\(mappings)] }"
    let reading = try readText(text)
    let model = try reading.compiled(from: source, to: destination)
    return MappingCheck.findings(in: model, from: source, to: destination, passes: passes).map { finding in
      let place = [finding.entityMapping, finding.property].compactMap { $0 }.joined(separator: ".")
      return "\(finding.severity) \(place): \(finding.problem). \(finding.advice)"
    }
  }

  private static func models() throws -> (ManagedObjectModel, ManagedObjectModel) {
    (
      try model(
        entity("Thing", isAbstract: true, [optional("kind")]),
        entity(
          "Note", under: "Thing",
          [
            optional("title"), required("count", .integer64), optional("when", .date), transient("cached"),
            optional("rate", .double), optional("file", .binary),
          ], [toOne("author", "Person"), toMany("tags", "Tag")]),
        entity("Person", [required("name")], [toMany("notes", "Note")]), entity("Tag", [optional("word")])),
      try model(
        entity("Thing", isAbstract: true, [optional("kind")]),
        entity(
          "Note", under: "Thing",
          [
            optional("title"), required("count", .integer64), optional("when", .date),
            optional("small", .integer16),
          ],
          [toOne("author", "Person"), toMany("tags", "Tag")]),
        entity("Person", [required("name")]), entity("Tag", [optional("word")]),
        entity("Strict", [required("must"), required("has", default: .string("x"))])
      )
    )
  }

  private static let people =
    "{ source: 'Person', destination: 'Person' }, { source: 'Tag', destination: 'Tag' },"

  @Test func aMappingModelThatFitsHasNoFindings() throws {
    #expect(
      try findings(
        "\(Self.people) { source: 'Note', destination: 'Note', filter: 'title != nil AND author.name == title', "
          + "uniqueBy: '$source.title', chunks: ['count < 5', 'NOT count < 5'], "
          + "attributes: { small: '5', when: 'CAST($source.count, \"NSDate\")' } }") == [])
  }

  @Test(arguments: [
    (
      "{ source: 'Nota', destination: 'Note' }",
      ["error NotaToNote: the source model has no entity “Nota”. Perhaps “Note” is meant"]
    ),
    (
      "{ source: 'Tag', destination: 'Elsewhere' }",
      [
        "error TagToElsewhere: the destination model has no entity “Elsewhere”. Correct the name, or remove the entity mapping"
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Thing' }",
      [
        "error TagToThing: the destination entity “Thing” is abstract, and there can be no objects of it. Map to one of its "
          + "subentities, or remove the entity mapping"
      ]
    ),
    ("{ source: 'Thing', destination: 'Thing' }", []),
    (
      "{ name: 'X', source: 'Tag', destination: 'Tag' }, { name: 'X', source: 'Tag', destination: 'Tag' }",
      [
        "error X: there are several entity mappings of this name. Give each a name of its own, by which expressions can tell "
          + "them apart"
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Tag', attributes: { wort: '\"a\"', zzzzzz: '1' } }",
      [
        "error TagToTag.wort: “Tag” has no attribute of that name. Perhaps “word” is meant",
        "error TagToTag.zzzzzz: “Tag” has no attribute of that name. Correct the name, or remove the row",
      ]
    ),
    (
      "{ source: 'Person', destination: 'Person' }, { source: 'Tag', destination: 'Tag' }, "
        + "{ source: 'Note', destination: 'Note', attributes: { tags: '1' }, relationships: { title: null } }",
      [
        "error NoteToNote.tags: it is a relationship of “Note”, not an attribute. Put it among the relationships",
        "error NoteToNote.title: it is an attribute of “Note”, not a relationship. Put it among the attributes",
      ]
    ),
    (
      "{ add: 'Tag', filter: 'x == 1', uniqueBy: '1', chunks: { size: 1 } }",
      [
        "error Tag: without a source entity there is nothing for “filter”, “uniqueBy”, “chunks”. Name the source entity"
      ]
    ),
    (
      "{ add: 'Tag', type: 'copy' }",
      [
        "error Tag: a mapping of type “copy” needs a source and a destination. Name both entities, or remove the type"
      ]
    ),
    (
      "{ source: 'Tag', destination: 'Tag', type: 'add' }",
      ["error TagToTag: a mapping of type “add” has only a destination. Remove the other entity, or the type"]
    ),
  ])
  func namesThatArentThereAndKeysThatDontFitAreErrors(mappings: String, expected: [String]) throws {
    #expect(try findings(mappings) == expected)
  }

  /// An attribute or another key of `NoteToNote`.
  private func note(_ keys: String) throws -> [String] {
    try findings("\(Self.people) { source: 'Note', destination: 'Note', \(keys) }")
  }

  @Test(arguments: [
    (
      "'$source.titel'",
      "error NoteToNote.title: the source entity “Note” has no property “titel”. Perhaps “title” is meant"
    ),
    (
      "'$source.author.nam'",
      "error NoteToNote.title: the source entity “Person” has no property “nam”. Perhaps “name” is meant"
    ),
    (
      "'$quelle.title'",
      "error NoteToNote.title: there is no variable $quelle. The variables are: $destination, $entityMapping, $entityPolicy, $manager, $propertyMapping, $source"
    ),
    (
      "'$source.cached'",
      "warning NoteToNote.title: the source attribute “cached” is transient, and stores hold no values of it. Take the value from a stored attribute"
    ),
    (
      "'$source.count'",
      "error NoteToNote.title: “Note.count” is Integer 64 and gives a number, and the attribute is of type String. Write CAST(…, 'NSString') around the expression"
    ),
    (
      "'$source.author'",
      "error NoteToNote.title: the expression gives an object of the source entity “Person”, and an attribute holds a value. Go on to an attribute, as in “$source.author.name”"
    ),
    (
      "'1 + 2'",
      "error NoteToNote.title: the expression gives a number, and the attribute is of type String. Write CAST(…, 'NSString') around the expression"
    ),
    (
      "'now()'",
      "error NoteToNote.title: the expression gives a date, and the attribute is of type String. Write an expression that gives a string, or leave the attribute to its default with null"
    ),
    (
      "\"FUNCTION($entityPolicy, 'do:', 1)\"",
      "error NoteToNote.title: “do:” is a method of the policy, and the entity mapping has none. Name the policy's class"
    ),
    (
      "\"FUNCTION(CAST('M', 'Class'), 'do:', 1)\"",
      "warning NoteToNote.title: “do:” is a method of the application's class “M”. Supply a function of that name in the team's worker, or write the value as an expression"
    ),
  ])
  func whatAnAttributesExpressionCantGiveIsTold(expression: String, expected: String) throws {
    #expect(try note("attributes: { title: \(expression) }") == [expected])
  }

  @Test func aKeyWithoutAnObjectIsAnErrorInAValueAndNotInAFilter() throws {
    #expect(
      try note("filter: 'title != nil', uniqueBy: 'title', attributes: { title: 'TERNARY(count > 1, 1, 2)' }")
        == [
          "error NoteToNote: uniqueBy: “title” says no object that it is a key of. Write $source.title for a property of the "
            + "source object",
          "error NoteToNote.title: “count” says no object that it is a key of. Write $source.count for a property of the "
            + "source object",
        ])
  }

  @Test func aSourceExpressionOfItsOwnIsAnError() throws {
    #expect(
      try note("sourceExpression: '$manager.userInfo'") == [
        "error NoteToNote: it has a source expression of its own, which can't be run. Remove the source expression, and say "
          + "with a filter which objects are taken"
      ])
  }

  @Test func lengthsCollectionsSubqueriesAndSubentitiesAreNotHeldAgainstTheModel() throws {
    #expect(
      try note(
        "filter: \"SUBQUERY(tags, $t, $t.word == 'a' AND word != nil).@count > 0\", attributes: { "
          + "small: '$source.title.length', count: '$source.tags.@count' }") == [])
    let parent = try model(
      entity("A", [], [toMany("bs", "B")]), entity("B"), entity("C", under: "B", [optional("own")]))
    #expect(
      try findings(
        "{ source: 'A', destination: 'A', filter: 'ANY bs.own == 1' }, { source: 'B', destination: 'B' }",
        from: parent, to: parent) == [])
    #expect(
      try findings(
        "{ source: 'B', destination: 'B', filter: 'own == 1' }", from: parent, to: parent)
        == ["error BToB: filter: the source entity “B” has no property “own”. Correct the expression"])
  }

  @Test func numbersThatLoseSomethingAreWarningsAndConstantsThatDontFitErrors() throws {
    #expect(
      try note("attributes: { small: '$source.count' }") == [
        "warning NoteToNote.small: values of “count” outside -32768 to 32767 don't fit into Integer 16. Take a larger type in "
          + "the destination, or leave such objects out with a filter"
      ])
    #expect(try note("attributes: { small: '$source.rate' }").first?.contains("lose their fractions") == true)
    #expect(
      try note("attributes: { small: '40000' }") == [
        "error NoteToNote.small: 40000 doesn't fit into Integer 16. Write a number from -32768 to 32767"
      ])
  }

  @Test func requiredAttributesNeedAValueOrADefaultUnlessAPolicyMakesTheObjects() throws {
    let missing =
      "error TagToStrict.must: the attribute is required, gets no value and has no default. Write an expression for it, or "
      + "give it a default in the model"
    #expect(try findings("{ source: 'Tag', destination: 'Strict' }") == [missing])
    #expect(try findings("{ source: 'Tag', destination: 'Strict', policy: 'P' }") == [])
    #expect(try findings("{ add: 'Strict' }") == [])
    #expect(
      try findings("{ source: 'Tag', destination: 'Strict', attributes: { must: 'nil' } }")
        == [
          "error TagToStrict.must: the attribute is required, and the expression gives nil. Write another expression"
        ])
    #expect(
      try findings("{ source: 'Tag', destination: 'Strict', attributes: { must: '$source.word' } }") == [
        "warning TagToStrict.must: the attribute is required, and “Tag.word” may be nil. Objects without a value are refused; "
          + "write TERNARY($source.word == nil, …, $source.word) to give them one"
      ])
    #expect(
      try findings(
        "{ source: 'Tag', destination: 'Strict', uniqueBy: '$source.word', attributes: { must: '$source.word' } }"
      )
        == [])
  }

  @Test(
    "nil in a required attribute is no matter where nothing is made of it",
    arguments: [
      ("filter: 'word != nil'", true), ("filter: \"word LIKE 'a*' AND word != 'b'\"", true),
      ("filter: 'word.length > 0'", true), ("filter: \"$source.word == 'x' OR word IN {'a', 'b'}\"", true),
      ("uniqueBy: 'trim($source.word)'", true), ("uniqueBy: 'uppercase(normalise($source.word))'", true),
      // Nil meets these, or is made something of.
      ("filter: \"word != 'x'\"", false), ("filter: \"word == 'x' OR word == nil\"", false),
      ("filter: \"NOT word == 'x'\"", false), ("filter: 'word IN {nil}'", false),
      ("uniqueBy: \"coalesce($source.word, 'none')\"", false),
      ("uniqueBy: \"join('-', $source.word, 'x')\"", false),
    ])
  func nilThatIsLeftOut(keys: String, isLeftOut: Bool) throws {
    let found = try findings(
      "{ source: 'Tag', destination: 'Strict', \(keys), attributes: { must: '$source.word' } }")
    #expect(found.isEmpty == isLeftOut, "\(found)")
    #expect(found.allSatisfy { $0.contains("“Tag.word” may be nil") }, "\(found)")
  }

  @Test func aStaleHashNamesTheFileToAccept() throws {
    let hash = String(repeating: "0", count: 64)
    let (source, destination) = try Self.models()
    let reading = try readText(
      "{ name: \"Other\", source: \"One\", destination: \"Two\", entityMappings: [{ source: 'Tag', destination: 'Tag', "
        + "sourceHash: '\(hash)' }] }")
    let model = try reading.compiled(from: source, to: destination)
    let finding = try #require(
      MappingCheck.findings(in: model, from: source, to: destination, reading: reading).first)
    #expect(finding.subject == .hash)
    // family.json5 knows mapping models by their files.
    #expect(
      finding.advice
        == "Save the mapping model anew for these versions; or, if the differences don't matter, say acceptStaleHashes: "
        + "[\"\(reading.file.name)\"] in family.json5")
    #expect(reading.file.name != "Other")
  }

  @Test(arguments: [
    (
      "author: { mapping: 'PersonToPersn' }",
      "error NoteToNote.author: there is no entity mapping “PersonToPersn”. Perhaps “PersonToPerson” is meant"
    ),
    (
      "author: { path: '$source.author', mapping: 'Wrong' }",
      "error NoteToNote.author: the entity mapping “Wrong” makes objects of “Tag”, and the relationship leads to “Person”. Name an entity mapping that makes objects of “Person”"
    ),
    (
      "author: { mapping: 'TagToTag' }",
      "warning NoteToNote.author: the path leads to objects of “Person”, and the entity mapping “TagToTag” takes those of “Tag”, so that nothing is found. Correct the path or the entity mapping's name"
    ),
    (
      "author: '$source.author'",
      "error NoteToNote.author: “$source.author” gives source objects, and a relationship leads to destination objects. Write { path: \"$source.author\" }, which gives what became of them"
    ),
    (
      "author: { path: '$source.tags', mapping: 'TagToPerson' }",
      "warning NoteToNote.author: “$source.tags” leads to several objects, and the relationship to one. One of them would be taken at random: write a path to one object"
    ),
    (
      "tags: { path: '$source.title' }",
      "error NoteToNote.tags: “Note.title” is an attribute and leads to no objects. Write a path to objects"
    ),
    (
      "tags: { mapping: 'Gone' }",
      "error NoteToNote.tags: the entity mapping “Gone” removes objects and makes none. Name another entity mapping"
    ),
    (
      "tags: \"FUNCTION($manager, 'destinationInstances:', 1)\"",
      "error NoteToNote.tags: the migration manager answers no call “destinationInstances:”. It answers “destinationInstancesForEntityMappingNamed:sourceInstances:” and “destinationInstancesForSourceRelationshipNamed:sourceInstances:” with a name and source objects"
    ),
  ])
  func whatARelationshipsExpressionCantGiveIsTold(row: String, expected: String) throws {
    let mappings = """
      { source: 'Person', destination: 'Person' }, { name: 'Wrong', source: 'Person', destination: 'Tag' },
      { source: 'Tag', destination: 'Tag' }, { name: 'TagToPerson', source: 'Tag', destination: 'Person',
        attributes: { name: '"x"' } }, { name: 'Gone', source: 'Tag', type: 'remove' },
      { source: 'Note', destination: 'Note', relationships: { \(row) } }
      """
    #expect(try findings(mappings) == [expected])
  }

  @Test func entityMappingsOfOtherPassesMayBeNamed() throws {
    let other = MappingModel(
      name: "First", origin: .inferred,
      entityMappings: [
        EntityMapping(name: "Early", type: .transform, sourceEntityName: "Tag", destinationEntityName: "Tag")
      ])
    let mapping = "{ source: 'Note', destination: 'Note', relationships: { tags: { mapping: 'Early' } } }"
    #expect(try findings(mapping, passes: [other]) == [])
    #expect(try findings(mapping).count == 1)
  }

  @Test func aRequiredRelationshipThatNothingSetsIsAWarning() throws {
    var link = toOne("a", "A", inverse: "bs")
    link.isOptional = false
    let one = try model(entity("A", [], [toMany("bs", "B", inverse: "a")]), entity("B", [], [link]))
    let source = try model(entity("A"), entity("B"))
    let mappings = "{ source: 'A', destination: 'A' }, { source: 'B', destination: 'B' }"
    #expect(
      try findings(mappings, from: source, to: one) == [
        "warning BToB.a: the relationship is required, and nothing sets it. Write an expression for it, or for its inverse"
      ])
    let set =
      "{ source: 'A', destination: 'A', relationships: { bs: { path: '$source', mapping: 'AToB' } } }, "
      + "{ source: 'A', destination: 'B' }"
    #expect(try findings(set, from: source, to: one) == [])
  }

  // MARK: Hashes

  @Test func staleHashesAreErrorsThatNameWhatDiffersUnlessTheyAreAccepted() throws {
    var text = EditorText()
    let mapping = text.mapping([("sourcename", "A"), ("destinationname", "A")])
    let reading = try text.read(
      [mapping],
      data: [
        ("sourcemodeldata", EditorText.model(["A": ["x", "gone"]])),
        ("destinationmodeldata", EditorText.model(["A": ["x"]])),
      ])
    let source = try model(entity("A", [optional("x", .integer16), optional("new")], [toOne("r", "A")]))
    let destination = try model(entity("A", [optional("x")]))
    let made = try reading.compiled(from: source, to: destination)
    let findings = MappingCheck.findings(in: made, from: source, to: destination, reading: reading)
    #expect(findings.map(\.severity) == [.error] && findings.map(\.subject) == [.hash])
    let there = try #require(reading.sourceModel?.entityVersionHashes["A"])
    let here = try #require(source.entityVersionHashes["A"])
    let state =
      "it was made for another state of the source entity “A” (version hash \(there.hexadecimal) there, "
      + "\(here.hexadecimal) in the model)"
    #expect(
      findings.map(\.problem) == [
        "\(state): since then attribute “gone” is gone, attribute “new” is new, "
          + "attribute “x” changed, relationship “r” is new"
      ])
    #expect(findings[0].description.hasPrefix("\(reading.file.path): entity mapping “AToA”: it was made"))
    let accepted = MappingCheck.findings(
      in: made, from: source, to: destination, reading: reading, acceptsStaleHashes: true)
    #expect(accepted.map(\.severity) == [.warning])
    // Without copies of the models the entity alone can be named.
    #expect(
      MappingCheck.findings(in: made, from: source, to: destination).map(\.problem) == [
        state
      ])
  }

  @Test func aTextMayStateHashesAndAcceptThatTheyAreStale() throws {
    let hash = String(repeating: "0", count: 64)
    let mapping = "{ source: 'Tag', destination: 'Tag', sourceHash: '\(hash)' }"
    #expect(try findings(mapping).first?.hasPrefix("error TagToTag: it was made for another state") == true)
    #expect(
      try findings(mapping, header: "acceptStaleHashes: true,").first?.hasPrefix("warning TagToTag:") == true)
  }
}
