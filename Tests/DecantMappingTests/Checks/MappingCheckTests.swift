import DecantModel
import PredicateFormat
import Testing

@testable import DecantMapping

/// Faults in a mapping model's names and values that are found without any rows.
@Suite struct MappingCheckTests {
  @Test func anOldNameForANewOneIsNoExchange() throws {
    // Only the source entity has “rate”, so that all names would fit in the other direction.
    let found = try noteFindings("attributes: { rate: '$source.rate' }")
    #expect(found.contains { $0.hasPrefix("error NoteToNote.rate: “Note” has no attribute of that name.") })
    #expect(!found.contains { $0.contains("Exchange") })
  }

  @Test func aMappingModelThatFitsHasNoFindings() throws {
    #expect(
      try findings(
        "\(mappedPeople) { source: 'Note', destination: 'Note', filter: 'title != nil AND author.name == title', "
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
      "{ add: 'Tag', policy: 'P' }, { remove: 'Note', policy: 'P' }",
      [
        "warning Tag: the policy P is never called: without a source entity there are no objects to call it for, and Core Data "
          + "doesn't call it either. Name a source entity, or remove the policy",
        "warning Note: the policy P is never called: without a destination entity the objects are left out. Name a "
          + "destination entity, even if the policy makes no objects of it, or remove the policy",
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

  @Test(arguments: [
    (
      "'$source.titel'",
      "error NoteToNote.title: the source entity “Note” of “One” has no property “titel”. Perhaps “title” is meant"
    ),
    (
      "'$source.author.nam'",
      "error NoteToNote.title: the source entity “Person” of “One” has no property “nam”. Perhaps “name” is meant"
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
      "error NoteToNote.title: the expression gives a date, and the attribute is of type String. Write an expression that gives a string, or null to keep the attribute's default"
    ),
    (
      "\"FUNCTION($entityPolicy, 'do:', 1)\"",
      "error NoteToNote.title: “do:” is a method of the policy, and the entity mapping has no policy. Name the policy's class"
    ),
    (
      "\"FUNCTION(CAST('M', 'Class'), 'do:', 1)\"",
      "warning NoteToNote.title: “do:” is a method of the application's class “M”. Supply a function of that name in the team's worker, or write the value as an expression"
    ),
  ])
  func whatAnAttributesExpressionCantGiveIsTold(expression: String, expected: String) throws {
    #expect(try noteFindings("attributes: { title: \(expression) }") == [expected])
  }

  @Test func aKeyWithoutAnObjectIsAnErrorInAValueAndNotInAFilter() throws {
    #expect(
      try noteFindings(
        "filter: 'title != nil', uniqueBy: 'title', attributes: { title: 'TERNARY(count > 1, \"a\", \"b\")' }")
        == [
          "error NoteToNote: uniqueBy: “title” doesn't say which object the key belongs to. Write "
            + "$source.title for a property of the source object",
          "error NoteToNote.title: “count” doesn't say which object the key belongs to. Write "
            + "$source.count for a property of the source object",
        ])
  }

  @Test func aSourceExpressionOfItsOwnIsAnError() throws {
    #expect(
      try noteFindings("sourceExpression: '$manager.userInfo'") == [
        "error NoteToNote: its source expression “$manager.userInfo” isn't a fetch as Xcode writes it, and can't be run. "
          + "Remove the source expression, and say with a filter which objects are taken"
      ])
    let fetch =
      "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Tag', 'word != nil'), "
      + "$manager.sourceContext, NO)"
    #expect(
      try noteFindings("sourceExpression: \"\(fetch)\"") == [
        "error NoteToNote: the source expression fetches objects of “Tag”, and the source of the entity mapping is “Note”. "
          + "Name “Tag” as the source of the entity mapping, or fetch objects of the source"
      ])
  }

  @Test func lengthsCollectionsSubqueriesAndSubentitiesAreNotHeldAgainstTheModel() throws {
    #expect(
      try noteFindings(
        "filter: \"SUBQUERY(tags, $t, $t.word == 'a' AND title != nil).@count > 0\", attributes: { "
          + "small: '$source.title.length', count: '$source.tags.@count' }") == [])
    let parent = try model(
      entity("A", [], [toMany("bs", "B")]), entity("B"), entity("C", under: "B", [optional("own")]))
    #expect(
      try findings(
        "{ source: 'A', destination: 'A', filter: 'ANY bs.own == \"1\"' }, { source: 'B', destination: 'B' }",
        from: parent, to: parent) == [
          "warning AToA: filter: “bs.own” can't be evaluated for some of its values, so that stores with such values "
            + "are refused: among “B” and its subentities, “B” has no property “own”. Take a property that all of them have"
        ])
    #expect(
      try findings(
        "{ source: 'B', destination: 'B', filter: 'own == 1' }", from: parent, to: parent)
        == ["error BToB: filter: the source entity “B” of “One” has no property “own”. Correct the expression"])
  }

  @Test func numbersThatLoseSomethingAreWarningsAndConstantsThatDontFitErrors() throws {
    #expect(
      try noteFindings("attributes: { small: '$source.count' }") == [
        "warning NoteToNote.small: values of “count” outside -32768 to 32767 don't fit into Integer 16. Take a larger type in "
          + "the destination, or leave such objects out with a filter"
      ])
    #expect(
      try noteFindings("attributes: { small: '$source.rate' }").first?.contains("lose their fractions") == true)
    let branch = "TERNARY($source.rate == nil, 0, TERNARY($source.rate > 9, $source.rate, $source.rate))"
    #expect(
      try noteFindings("attributes: { small: '\(branch)' }") == [
        "warning NoteToNote.small: values of “rate” lose their fractions in Integer 16. Round in the expression, for instance "
          + "with floor(), if another rounding is wanted"
      ])
    for lossless in ["floor($source.rate)", "$source.count"] {
      let whole = "TERNARY($source.rate == nil, 0, \(lossless))"
      #expect(try noteFindings("attributes: { small: '\(whole)' }") == [])
    }
    #expect(
      try noteFindings("attributes: { small: '40000' }") == [
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
    let parsed = "nilIfEmpty($source.word)"
    #expect(
      try findings("{ source: 'Tag', destination: 'Strict', attributes: { must: '\(parsed)' } }") == [
        "warning TagToStrict.must: the attribute is required, and nilIfEmpty gives nil for an empty text. Objects without a value "
          + "are refused; write coalesce(\(parsed), …) to give them one"
      ])
    #expect(
      try findings(
        "{ source: 'Tag', destination: 'Strict', attributes: { must: 'coalesce(\(parsed), \"-\")' } }")
        == [])
    #expect(
      try findings(
        "{ source: 'Tag', destination: 'Strict', filter: 'word != \"\"', attributes: { must: '\(parsed)' } }")
        == [])
    #expect(
      try findings(
        "{ source: 'Tag', destination: 'Strict', uniqueBy: '$source.word', attributes: { must: '$source.word' } }"
      )
        == [])
  }

  @Test(
    "nil for a required attribute is no finding if no object is made from a nil value",
    arguments: [
      ("filter: 'word != nil'", true), ("filter: \"word LIKE 'a*' AND word != 'b'\"", true),
      ("filter: 'word.length > 0'", true), ("filter: \"$source.word == 'x' OR word IN {'a', 'b'}\"", true),
      ("filter: \"'abc' CONTAINS word AND word.length > 1\"", true),
      ("filter: \"NOT (word == nil OR word == 'b')\"", true),
      ("uniqueBy: \"CAST($source.word, 'NSNumber')\"", true),
      ("uniqueBy: \"TERNARY($source.word == nil, nil, 'x')\"", true),
      ("uniqueBy: 'trim($source.word)'", true), ("uniqueBy: 'uppercase(normalise($source.word))'", true),
      // A nil value passes these filters, or these expressions turn it into a value.
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
    let (source, destination) = try checkedModels()
    let reading = try readText(
      "{ name: \"Other\", source: \"One\", destination: \"Two\", entityMappings: [{ source: 'Tag', destination: 'Tag', "
        + "sourceHash: '\(hash)' }] }")
    let model = try reading.compiled(from: source, to: destination)
    let finding = try #require(
      MappingCheck.findings(in: model, from: source, to: destination, reading: reading).first)
    #expect(finding.subject == .hash)
    // In family.json5 a mapping model has the name of its file.
    #expect(
      finding.advice
        == "Save the mapping model again for these versions. If the differences don't matter, write acceptStaleHashes: "
        + "[\"\(reading.file.name)\"] in family.json5")
    #expect(reading.file.name != "Other")
  }

  @Test("an abstract source entity is a warning, which names its subentities")
  func abstractSource() throws {
    let source = try model(
      entity("Media", isAbstract: true), entity("Book", under: "Media", [optional("title")]),
      entity("Film", under: "Media"))
    let destination = try model(entity("Work", [optional("title")]), entity("Kind", isAbstract: true))
    func found(_ name: String) throws -> [MappingFinding] {
      let text =
        "{ source: \"One\", destination: \"Two\", entityMappings: [{ source: \"\(name)\", destination: \"Work\" }] }"
      let mapping = try readText(text).compiled(from: source, to: destination)
      return MappingCheck.findings(in: mapping, from: source, to: destination)
    }
    let finding = try #require(try found("Media").first { $0.problem.contains("abstract") })
    #expect(finding.severity == .warning)
    #expect(finding.advice == "Write an entity mapping for each of “Book”, “Film”")
    #expect(try !found("Book").contains { $0.problem.contains("abstract") })
  }
}
