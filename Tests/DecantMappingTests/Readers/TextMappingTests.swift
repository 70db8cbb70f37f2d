import DecantModel
import Foundation
import PredicateFormat
import Testing

@testable import DecantMapping

/// Reads mapping models as text, `NAME.mapping.json5`.
@Suite struct TextMappingTests {
  static let notes = """
    {
      name: "StepOne", source: "Notas", destination: "Notas 2", order: 1, validation: "quarantine",
      acceptStaleHashes: true,
      entityMappings: [
        { name: "NotaToCategoria", source: "Nota", destination: "Categoria",
          filter: "categoria != nil", uniqueBy: "$source.categoria",
          attributes: { nombre: "$source.categoria" } },
        { name: "NotaToNota", source: "Nota", destination: "Nota",
          chunks: ["fecha < CAST(0, 'NSDate')", "NOT fecha < CAST(0, 'NSDate')"],
          policy: { program: ["python3", "policy.py"] },
          attributes: { texto: "$source.texto", extra: null },
          userInfo: { "one two": "3" },
          relationships: {
            categorias: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NotaToCategoria', $source)",
            hijas: { path: "$source.hijas", mapping: null }, otras: null, madre: { mapping: "NotaToNota" } } },
        { add: "Nueva", attributes: { x: null } },
        { remove: "Vieja" },
      ],
    }
    """

  static func models() throws -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
    (
      try model(
        entity(
          "Nota", [optional("texto"), optional("fecha", .date), optional("categoria")],
          [toMany("hijas", "Nota"), toOne("madre", "Nota"), toOne("otras", "Nota")]), entity("Vieja")),
      try model(
        entity(
          "Nota",
          [
            optional("texto"), optional("momento", .date, was: "fecha"), optional("extra"), transient("texto2"),
          ],
          [
            toMany("categorias", "Categoria", inverse: "notas"), toMany("hijas", "Nota"),
            toOne("madre", "Nota"),
            toOne("otras", "Nota"), toMany("ramas", "Nota", was: "hijas"),
          ]),
        entity("Categoria", [optional("nombre")], [toMany("notas", "Nota", inverse: "categorias")]),
        entity("Nueva", [optional("x")])
      )
    )
  }

  @Test func everyKeyIsReadAndWhatIsNotNamedIsMappedByRule() throws {
    let (source, destination) = try Self.models()
    let made = try readText(Self.notes).compiled(from: source, to: destination)
    #expect(made.name == "StepOne" && made.order == 1 && made.validation == .quarantine)
    #expect(made.sourceVersion == "Notas" && made.destinationVersion == "Notas 2" && made.acceptsStaleHashes)
    #expect(made.entityMappings.map(\.name) == ["NotaToCategoria", "NotaToNota", "Nueva", "Vieja"])
    #expect(made.entityMappings.map(\.type) == [.transform, .custom, .add, .remove])
    let (category, note) = (made.entityMappings[0], made.entityMappings[1])
    #expect(category.filter == .compare(.key("categoria"), .notEqual, .constant(.null)))
    #expect(category.uniqueBy == .source("categoria"))
    #expect(
      category.attributeMappings == [.init(destinationName: "nombre", value: .expression(.source("categoria")))]
    )
    #expect(category.relationshipMappings == [.init(destinationName: "notas", value: .unset)])
    #expect(note.policy == .program(["python3", "policy.py"]))
    #expect(note.userInfo == ["one two": "3"])
    guard case .predicates(let chunks) = note.chunks else {
      Issue.record("no chunks")
      return
    }
    #expect(chunks.count == 2)
    #expect(
      note.attributeMappings == [
        .init(destinationName: "extra", value: .unset),
        .init(destinationName: "momento", value: .expression(.source("fecha"))),
        .init(destinationName: "texto", value: .expression(.source("texto"))),
      ])
    let toNotes = DestinationLookup(.entityMapping("NotaToNota"), of: .source("madre")).expression
    let branches = DestinationLookup(.entityMapping("NotaToNota"), of: .source("hijas")).expression
    let daughters = DestinationLookup(.sourceRelationship("hijas"), of: .source("hijas")).expression
    let categories = DestinationLookup(.entityMapping("NotaToCategoria"), of: .variable("source")).expression
    #expect(
      note.relationshipMappings == [
        .init(destinationName: "categorias", value: .expression(categories)),
        .init(destinationName: "hijas", value: .expression(daughters)),
        .init(destinationName: "madre", value: .expression(toNotes)),
        .init(destinationName: "otras", value: .unset),
        .init(destinationName: "ramas", value: .expression(branches)),
      ])
    #expect(made.entityMappings[2].attributeMappings.map(\.value) == [.unset])
  }

  /// `§` marks the place that the message names.
  @Test(arguments: [
    ("entityMapping: §[]", "the mapping model has no key “entityMapping”; perhaps “entityMappings” is meant"),
    ("validation: §\"maybe\"", "“validation” must be one of: “fail”, “report”, “quarantine”"),
    ("acceptStaleHashes: §1", "“acceptStaleHashes” must be true or false"),
    ("entityMappings: §{}", "“entityMappings” must be a list [ … ]"),
    ("entityMappings: [§1]", "member 1 of “entityMappings” must be an object { … }"),
    ("entityMappings: [{ nam: §\"A\" }]", "the entity mapping has no key “nam”; perhaps “name” is meant"),
    ("entityMappings: [{ sorce: §\"A\" }]", "the entity mapping has no key “sorce”; perhaps “source” is meant"),
    (
      "entityMappings: [{ nam: §\"x\", destination: \"A\" }]",
      "entity mapping “A” has no key “nam”; perhaps “name” is meant"
    ),
    ("entityMappings: [§{}]", "an entity mapping needs a “source”, a “destination” or both"),
    (
      "entityMappings: [{ add: §\"A\", source: \"B\" }]",
      "“add” is short for “destination” and allows no other entity"
    ),
    (
      "entityMappings: [{ source: \"A\", filtre: §\"x\" }]",
      "entity mapping “A” has no key “filtre”; perhaps “filter” is meant"
    ),
    (
      "entityMappings: [{ source: \"A\", zzzzzz: §\"x\" }]",
      "entity mapping “A” has no key “zzzzzz”; the keys are: name, source, destination, add, remove, type, filter, "
        + "uniqueBy, policy, chunks, attributes, relationships, userInfo, sourceHash, destinationHash, sourceExpression"
    ),
    (
      "entityMappings: [{ source: \"A\", type: §\"move\" }]",
      "“type” must be one of: “custom”, “add”, “remove”, “copy”, “transform”"
    ),
    (
      "entityMappings: [{ source: \"A\", chunks: { size: §0 } }]",
      "“chunks” needs “size”, a whole number from 1 to 100000000"
    ),
    (
      "entityMappings: [{ source: \"A\", chunks: §{} }]",
      "“chunks” needs “size”, a whole number from 1 to 100000000"
    ),
    ("entityMappings: [{ source: \"A\", chunks: §[] }]", "“chunks” must hold from 1 to 1000 predicates"),
    ("entityMappings: [{ source: \"A\", chunks: §5 }]", "“chunks” must be { size: … } or a list of predicates"),
    (
      "entityMappings: [{ source: \"A\", policy: { program: §[] } }]",
      "“program” must be a list of texts: the program, which must not be empty, and its arguments"
    ),
    (
      "entityMappings: [{ source: \"A\", policy: { program: [\"p\"], timeLimit: §0 } }]",
      "“timeLimit” must be a number of seconds above 0, 86400 (a day) at most"
    ),
    (
      "entityMappings: [{ source: \"A\", policy: { program: [\"p\"], timeLimit: §-1 } }]",
      "“timeLimit” must be a number of seconds above 0, 86400 (a day) at most"
    ),
    (
      "entityMappings: [{ source: \"A\", policy: { program: [\"p\"], timeLimit: §86400.5 } }]",
      "“timeLimit” must be a number of seconds above 0, 86400 (a day) at most"
    ),
    (
      "entityMappings: [{ source: \"A\", policy: { program: [\"p\"], timeLimit: §\"5\" } }]",
      "“timeLimit” must be a number of seconds above 0, 86400 (a day) at most"
    ),
    (
      "entityMappings: [{ source: \"A\", policy: §7 }]",
      "“policy” must be a class's name in quotes or { program: [ … ] }"
    ),
    (
      "entityMappings: [{ source: \"A\", sourceHash: §\"12\" }]",
      "“sourceHash” must be a version hash: 64 hexadecimal digits in quotes"
    ),
    (
      "entityMappings: [{ source: \"A\", relationships: { r: { paht: §1 } } }]",
      "relationship “r” has no key “paht”; perhaps “path” is meant"
    ),
    (
      "entityMappings: [{ source: \"A\", relationships: { r: §true } }]",
      "relationship “r” must have an expression in quotes, { path: …, mapping: … }, or null to start empty"
    ),
    (
      "entityMappings: [{ source: \"A\", attributes: { a: §1 } }]",
      "attribute “a” must have an expression in quotes, such as \"$source.name\", or null for its default"
    ),
  ])
  func whatCantBeReadIsNamedWithItsPlace(text: String, expected: String) throws {
    let whole = "{ source: \"A\", destination: \"B\", \(text) }"
    let column = whole.prefix { $0 != "§" }.count + 1
    #expect(
      try reason(whole.replacingOccurrences(of: "§", with: "")) == "line 1, column \(column): \(expected)")
  }

  private static func fetch(_ entity: String, _ predicate: String, _ isCount: String = "NO") -> String {
    "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', '\(entity)', '\(predicate)'), "
      + "$manager.sourceContext, \(isCount))"
  }

  @Test(arguments: [("texto != nil", true), ("TRUEPREDICATE", false)])
  func aFetchOfTheSourceEntityIsAFilter(predicate: String, isFiltered: Bool) throws {
    let (source, destination) = try Self.models()
    func mapping(_ keys: String) throws -> EntityMapping {
      try readText(
        "{ source: 'A', destination: 'B', entityMappings: [{ source: 'Nota', destination: 'Nota', \(keys) }] }"
      ).compiled(from: source, to: destination).entityMappings[0]
    }
    let fetching = try mapping("sourceExpression: \"\(Self.fetch("Nota", predicate))\"")
    #expect(try fetching == mapping("filter: '\(predicate)'"))
    #expect((fetching.filter != nil) == isFiltered)
    for odd in [Self.fetch("Vieja", predicate), Self.fetch("Nota", predicate, "YES")] {
      let kept = try mapping("sourceExpression: \"\(odd)\"")
      #expect(kept.filter == nil && kept.sourceExpression?.description == odd.replacing("'", with: "\""))
    }
  }

  @Test func aFetchBesideAFilterAndAPredicateThatCantBeReadAreRefused() throws {
    func fault(_ keys: String) throws -> String? {
      try reason("{ source: 'A', destination: 'B', entityMappings: [{ source: 'Nota', \(keys) }] }")
    }
    let both = try #require(
      try fault("filter: 'x == 1', sourceExpression: \"\(Self.fetch("Nota", "x == 2"))\""))
    #expect(
      both
        == "line 1, column 105: “filter” and “sourceExpression” both say which objects are taken: leave one out"
    )
    let broken = try #require(try fault("sourceExpression: \"\(Self.fetch("Nota", "x == "))\""))
    #expect(
      broken.hasPrefix(
        "line 1, column 87: entity mapping “Nota”, sourceExpression: its predicate can't be read: column 6: "))
  }

  @Test(arguments: [("900", 900.0), ("0.5", 0.5), ("null", nil)])
  func aProgramsTimeLimitIsReadAndWritten(written: String, limit: Double?) throws {
    let (source, destination) = try Self.models()
    func limits(_ text: String) throws -> MappingModel {
      try readText(text).compiled(from: source, to: destination)
    }
    let model = try limits(
      "{ source: \"A\", destination: \"B\", entityMappings: [{ source: \"Nota\", destination: \"Nota\", "
        + "policy: { program: [\"p\"], timeLimit: \(written) } }] }")
    #expect(model.entityMappings.map(\.programTimeLimit) == [limit])
    let text = MappingModelText.text(of: model, from: source, to: destination)
    #expect(text.contains("timeLimit: \(written)") == (limit != nil))
    #expect(try limits(text).entityMappings.map(\.programTimeLimit) == [limit])
  }

  private func reason(_ text: String) throws -> String? {
    do {
      _ = try readText(text)
      return nil
    } catch MappingModelError.malformed(_, let reason, _, _) {
      return reason
    }
  }

  @Test func severalSlipsAreToldAtOnceInTheOrderOfTheirLines() throws {
    let text = """
      { source: "A", destination: "B", order: "x",
        entityMappings: [
          { source: "A", relationships: { r: 1, s: { pat: "$source" } }, attributes: { b: "1 +", a: 2 } },
          { source: "A", type: "what", uniqueBy: 5 } ] }
      """
    let error = #expect(throws: MappingModelError.self) { try readText(text) }
    #expect(error?.parts.map(\.line) == [1, 3, 3, 3, 3, 4, 4])
    #expect(error?.parts.allSatisfy { $0.path == error?.path } == true)
    let lines = "\(try #require(error))".split(separator: "\n")
    #expect(lines[0].hasSuffix(" is not a readable mapping model:"))
    #expect(lines[1] == "line 1, column 41: “order” must be a whole number")
    // A misspelt key isn't reported again as a missing one.
    let mistyped = #expect(throws: MappingModelError.self) {
      try readText("{ sorce: 'A', destination: 'B', entityMappings: [{ sorce: 'A' }] }")
    }
    #expect(mistyped?.parts.count == 2)
    // At most 50 faults of a file are collected.
    let many = String(repeating: "{ source: 1 },", count: 500)
    let endless = #expect(throws: MappingModelError.self) {
      try readText("{ source: 'A', destination: 'B', entityMappings: [\(many)] }")
    }
    #expect(endless?.parts.count == 50)
    #expect(endless?.description.hasSuffix("and 30 more") == true)
  }

  @Test func anErrorInAnExpressionPointsIntoTheFile() throws {
    let text = """
      { source: "A", destination: "B", entityMappings: [
        { source: "A", destination: "A",
          filter: "x == ",
        } ] }
      """
    let reason = try #require(try reason(text))
    #expect(reason.hasPrefix("line 3, column 19: entity mapping “AToA”, filter: "))
    #expect(!reason.contains("\n"))
    let error = try #require(throws: MappingModelError.self) { try readText(text) }
    #expect(error.sentence.hasSuffix(reason))
    #expect(error.excerpt == ["  x == ", "       ^"])
    #expect(error.description == ([error.sentence] + error.excerpt).joined(separator: "\n"))
    let attribute = try #require(
      try self.reason(
        "{ source: 'A', destination: 'B',\n entityMappings: [{ source: 'A', attributes: { a: '1 + + 2' } }] }"))
    #expect(attribute.hasPrefix("line 2, column 56: entity mapping “A”, attribute “a”: expected"))
  }

  @Test func argumentsOfFormatsAreRefused() throws {
    let reason = try #require(
      try reason("{ source: 'A', destination: 'B', entityMappings: [{ source: 'A', filter: 'x == %@' }] }"))
    #expect(reason.contains("%@"))
  }
}
