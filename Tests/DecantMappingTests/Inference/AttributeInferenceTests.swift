import DecantModel
import Testing

@testable import DecantMapping

@Suite struct AttributeInferenceTests {
  /// The mapping inferred for an entity `Note` whose attributes are `before` and then `after`.
  private func infer(_ before: [Attribute], _ after: [Attribute]) throws -> InferredMapping {
    try InferredMapping.make(from: model(entity("Note", before)), to: model(entity("Note", after)))
  }

  @Test func equalAttributesAreCopiedAndTheMappingIsACopy() throws {
    let mapping = try infer([optional("b"), required("a", .date)], [optional("b"), required("a", .date)])
    #expect(lines(mapping) == ["Note.a ← a", "Note.b ← b"])
    #expect(mappings(mapping) == ["NoteToNote copy Note → Note"])
    #expect(mapping.drops.isEmpty && mapping.narrowings.isEmpty)
  }

  @Test func newAttributesGetTheirDefaultOptionalOrNotAndTheMappingStaysACopy() throws {
    let mapping = try infer(
      [optional("a")], [optional("a"), optional("b"), required("c", default: .string("x"))])
    #expect(lines(mapping) == ["Note.a ← a", "Note.b ← default", "Note.c ← default"])
    #expect(mappings(mapping) == ["NoteToNote copy Note → Note"])
  }

  @Test func aRenamedAttributeIsCopiedAndTheMappingIsATransform() throws {
    let mapping = try infer([optional("fecha", .date)], [optional("momento", .date, was: "fecha")])
    #expect(lines(mapping) == ["Note.momento ← fecha"])
    #expect(mappings(mapping) == ["NoteToNote transform Note → Note"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func optionalBecomesRequiredWithDefault() throws {
    let mapping = try infer([optional("a")], [required("a", default: .string("x"))])
    #expect(lines(mapping) == ["Note.a ← a or default"])
  }

  @Test func requiredBecomesOptionalOrStaysRequiredWithoutDefault() throws {
    #expect(lines(try infer([required("a")], [optional("a")])) == ["Note.a ← a"])
    #expect(lines(try infer([required("a")], [required("a")])) == ["Note.a ← a"])
  }

  @Test(arguments: [
    (AttributeType.integer16, AttributeType.integer32, false), (.integer16, .integer64, false),
    (.integer32, .integer64, false), (.integer32, .integer16, true), (.integer64, .integer16, true),
    (.integer64, .integer32, true),
  ])
  func integerTypesAreCopiedAndNarrowingIsNoted(from: AttributeType, to: AttributeType, narrows: Bool) throws {
    let mapping = try infer([optional("n", from)], [optional("m", to, was: "n")])
    #expect(lines(mapping) == ["Note.m ← n"])
    let expected = InferredMapping.Narrowing(
      entityMapping: "NoteToNote", sourceEntity: "Note", sourceAttribute: "n", destinationAttribute: "m",
      range: try #require(to.integerRange))
    #expect(mapping.narrowings == (narrows ? [expected] : []))
  }

  // docs/formats/core-data-sqlite.md 9.6
  @Test(
    "a Boolean becomes an integer of any size",
    arguments: [AttributeType.integer16, .integer32, .integer64])
  func booleanBecomesInteger(type: AttributeType) throws {
    let mapping = try infer([required("isSilenced", .boolean)], [required("status", type, was: "isSilenced")])
    #expect(lines(mapping) == ["Note.status ← isSilenced"])
    #expect(mapping.narrowings.map(\.range) == (type == .integer64 ? [] : [try #require(type.integerRange)]))
    #expect(mapping.drops.isEmpty)
    #expect(
      refusal(
        from: try model(entity("Note", [optional("n", type)])),
        to: try model(entity("Note", [optional("n", .boolean)])))?.contains("changes its type") == true)
  }

  @Test func everyOtherChangeOfTypeIsRefused() throws {
    let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
    for from in AttributeType.allCases {
      for to in AttributeType.allCases
      where from != to && !(integers.union([.boolean]).contains(from) && integers.contains(to)) {
        let sentence = refusal(
          from: try model(entity("Note", [optional("a", from)])),
          to: try model(entity("Note", [optional("a", to)])))
        #expect(
          sentence == "entity “Note”: attribute “a” changes its type from \(from.name) to \(to.name). "
            + "Write a mapping model for these versions.", "\(from) to \(to)")
      }
    }
  }

  @Test func aRenamedAttributeOfAnotherTypeIsRefusedWithBothNames() throws {
    let sentence = refusal(
      from: try model(entity("Post", [optional("color")])),
      to: try model(entity("Post", [optional("hue", .double, was: "color")])))
    #expect(
      sentence == "entity “Post”: attribute “hue” (before: “color”) changes its type from String to Double. "
        + "Write a mapping model for these versions.")
  }

  @Test func aRequiredAttributeWithoutDefaultIsRefused() throws {
    let advice =
      " Give the attribute a default or make it optional in a new version, or write a mapping model for these versions."
    #expect(
      refusal(from: try model(entity("Note")), to: try model(entity("Note", [required("a")])))
        == "entity “Note”: attribute “a” is new and required, and has no default." + advice)
    #expect(
      refusal(from: try model(entity("Note", [optional("a")])), to: try model(entity("Note", [required("a")])))
        == "entity “Note”: attribute “a” becomes required and has no default." + advice)
  }

  @Test func aRequiredAttributeOfANewOrAbstractEntityIsFine() throws {
    let mapping = try InferredMapping.make(
      from: model(entity("Item", isAbstract: true), entity("Note", under: "Item", [required("a")])),
      to: model(
        entity("Item", isAbstract: true, [required("a")]), entity("Note", under: "Item"),
        entity("Tag", [required("b")])))
    #expect(lines(mapping) == ["Item.a ← default", "Note.a ← a", "Tag.b ← default"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func transientAttributesHaveNoRow() throws {
    let mapping = try infer([transient("a"), optional("b")], [transient("a"), optional("b")])
    #expect(lines(mapping) == ["Note.b ← b"])
    #expect(mapping.drops.isEmpty)
  }

  @Test func storedBecomesTransientAndItsValuesAreDropped() throws {
    let mapping = try infer([optional("a")], [transient("a")])
    #expect(lines(mapping) == [])
    #expect(drops(mapping) == ["Note.a [Note] becameTransient"])
  }

  @Test func transientBecomesStoredAndOptional() throws {
    #expect(lines(try infer([transient("a")], [optional("a")])) == ["Note.a ← default"])
  }

  // docs/formats/core-data-sqlite.md 9.6
  @Test("a transient attribute that becomes stored and required needs a default")
  func transientBecomesStoredAndRequired() throws {
    for type in [AttributeType.string, .boolean] {
      let mapping = try infer([transient("a", type)], [required("a", default: .string("x"))])
      #expect(lines(mapping) == ["Note.a ← default"])
      #expect(mapping.drops.isEmpty)
    }
    #expect(
      refusal(from: try model(entity("Note", [transient("a")])), to: try model(entity("Note", [required("a")])))
        == "entity “Note”: attribute “a” was transient and becomes stored and required, and has no default. Give the "
        + "attribute a default or make it optional in a new version, or write a mapping model for these versions."
    )
  }

  @Test func storageFlagsAndTransformersMayChange() throws {
    var (before, after) = (optional("a", .binary), optional("a", .binary))
    before.allowsExternalBinaryDataStorage = true
    after.preservesValueAfterDeletion = true
    #expect(lines(try infer([before], [after])) == ["Note.a ← a"])
    (before, after) = (optional("a", .transformable), optional("a", .transformable))
    after.valueTransformerName = "Secure"
    #expect(lines(try infer([before], [after])) == ["Note.a ← a"])
  }

  private func composite(named name: String = "home", was: String? = nil, _ elements: Attribute...) -> Attribute
  {
    Attribute(name: name, type: .composite, isOptional: true, renamingIdentifier: was, elements: elements)
  }

  // docs/formats/inference.md 3.6
  @Test("each element of a composite attribute follows the rules of attributes")
  func compositesFollowByTheirElements() throws {
    let (city, code) = (required("city"), optional("code", .integer16))
    #expect(
      lines(try infer([composite(city, code)], [composite(code, city)])) == [
        "Note.home.city ← home.city", "Note.home.code ← home.code",
      ])
    let wider = try infer(
      [composite(city, code)],
      [composite(named: "house", was: "home", optional("town", was: "city"), optional("code", .integer64))])
    #expect(lines(wider) == ["Note.house.code ← home.code", "Note.house.town ← home.city"])
    #expect(wider.drops.isEmpty)
    let fewer = try infer([composite(city, code)], [composite(city, optional("street"))])
    #expect(lines(fewer) == ["Note.home.city ← home.city", "Note.home.street ← default"])
    #expect(drops(fewer) == ["Note.home.code [Note]"])
    #expect(
      drops(try infer([composite(city), optional("a")], [optional("a")])) == ["Note.home.city [Note]"])
    #expect(
      lines(try infer([optional("a")], [composite(city), optional("a")])) == [
        "Note.a ← a", "Note.home.city ← default",
      ])
  }

  @Test func compositesThatAreNotInferableAreRefusedByTheElement() throws {
    func refused(_ from: Attribute, _ to: Attribute) throws -> String? {
      refusal(from: try model(entity("Note", [from])), to: try model(entity("Note", [to])))
    }
    #expect(
      try refused(composite(optional("n", .integer64)), composite(optional("n", .string)))
        == "entity “Note”: attribute “home.n” changes its type from Integer 64 to String. Write a mapping model for these "
        + "versions.")
    var strict = composite(required("n"), required("m"))
    strict.isOptional = false
    var before = composite(required("n"))
    before.isOptional = false
    #expect(
      try refused(before, strict)?.hasPrefix(
        "entity “Note”: attribute “home.m” is new and required, and has no default") == true)
    #expect(
      try refused(composite(optional("n")), optional("home"))
        == "entity “Note”: attribute “home” changes its type from Composite to String. Write a mapping model for these versions."
    )
    #expect(
      try refused(optional("home"), composite(optional("n"), optional("m")))
        == "entity “Note”: attribute “home” changes its type from String to Composite. Write a mapping model for these versions."
    )
    let nested = composite(optional("n"), composite(named: "deep", optional("m")))
    #expect(
      try refused(nested, composite(optional("n"), composite(named: "deep", optional("o"))))
        == "entity “Note”: composite attribute “home” changes its elements. Write a mapping model for these versions."
    )
  }

  @Test func derivedAttributesAreComputedUnlessNothingChanged() throws {
    func derived(_ expression: String) -> Attribute {
      Attribute(name: "d", type: .date, isOptional: true, derivationExpression: expression)
    }
    #expect(lines(try infer([], [derived("now()")])) == ["Note.d ← derived"])
    #expect(lines(try infer([derived("now()")], [derived("now()")])) == ["Note.d ← d"])
    #expect(lines(try infer([derived("a")], [derived("b")])) == ["Note.d ← derived"])
    let overwritten = try infer([optional("d", .date)], [derived("now()")])
    #expect(lines(overwritten) == ["Note.d ← derived"])
    #expect(drops(overwritten) == ["Note.d [Note] becameDerived"])
    #expect(lines(try infer([derived("now()")], [optional("d", .date)])) == ["Note.d ← d"])
  }

  @Test func aDerivedCountIsComputedAnewWhereItsRelationshipIsLost() throws {
    let count = Attribute(name: "n", type: .integer32, isOptional: true, derivationExpression: "pages.@count")
    let before = try model(entity("Book", [count], [toMany("pages", "Page")]), entity("Page"), entity("Leaf"))
    let after = try model(entity("Book", [count], [toMany("pages", "Leaf")]), entity("Page"), entity("Leaf"))
    #expect(lines(try .make(from: before, to: before)) == ["Book.n ← n", "Book.pages ⇐ pages"])
    #expect(lines(try .make(from: before, to: after)) == ["Book.n ← derived", "Book.pages ⇐ none"])
  }
}
