import DecantModel
import Foundation
import Testing

@Suite("Attributes in a model's file “contents”")
struct AttributeReadingTests {
  @Test("each type is read by its name; without a type it is Undefined", arguments: AttributeType.allCases)
  func types(type: AttributeType) throws {
    guard type != .composite else { return }
    #expect(try ModelText.attribute("attributeType=\"\(type.name)\"").type == type)
    #expect(try ModelText.attribute("").type == .undefined)
    #expect(AttributeType(named: type.name) == type)
  }

  @Test("by default an attribute is required, stored and without default value")
  func defaults() throws {
    #expect(try ModelText.attribute("attributeType=\"Boolean\"") == Attribute(name: "a", type: .boolean))
  }

  @Test("a flag is set only by YES")
  func flags() throws {
    let flags: [(String, (Attribute) -> Bool)] = [
      ("optional", { $0.isOptional }), ("transient", { $0.isTransient }), ("indexed", { $0.isIndexed }),
      ("allowsExternalBinaryDataStorage", { $0.allowsExternalBinaryDataStorage }),
      ("preserveAfterDeletion", { $0.preservesValueAfterDeletion }),
      ("preservesValueInHistoryOnDeletion", { $0.preservesValueAfterDeletion }),
    ]
    for (name, isSet) in flags {
      #expect(isSet(try ModelText.attribute("\(name)=\"YES\"")), "\(name)")
      #expect(!isSet(try ModelText.attribute("\(name)=\"NO\"")), "\(name)")
      #expect(!isSet(try ModelText.attribute("\(name)=\"\"")), "\(name)")
    }
  }

  @Test("texts are read; an empty text counts as missing")
  func texts() throws {
    let attribute = try ModelText.attribute(
      "attributeType=\"Transformable\" elementID=\"old\" versionHashModifier=\"m\" valueTransformerName=\"T\"",
      inside: "<userInfo><entry key=\"k\" value=\"v\"/><entry key=\"e\"/></userInfo>")
    #expect(attribute.renamingIdentifier == "old")
    #expect(attribute.versionHashModifier == "m")
    #expect(attribute.valueTransformerName == "T")
    #expect(attribute.userInfo == ["k": "v", "e": ""])
    let empty = try ModelText.attribute("elementID=\"\" versionHashModifier=\"\" valueTransformerName=\"\"")
    #expect(empty == Attribute(name: "a", type: .undefined))
    #expect(try ModelText.attribute("renamingIdentifier=\"old\"").renamingIdentifier == "old")
  }

  @Test("settings that Decant doesn't use are read without a warning")
  func editor() throws {
    let text =
      "usesScalarValueType=\"YES\" syncable=\"YES\" spotlightIndexingEnabled=\"YES\" storedInTruthFile=\"YES\" "
      + "customClassName=\"C\" allowsCloudEncryption=\"YES\""
    let reading = try ModelText.read("<entity name=\"N\"><attribute name=\"a\" \(text)/></entity>")
    #expect(reading.warnings.isEmpty)
    #expect(reading.model.entities[0].attributes == [Attribute(name: "a", type: .undefined)])
    #expect(reading.model.entities[0].attributes[0].customClassName == "C")
  }

  static let defaultValues: [(String, String, AttributeValue?)] = [
    ("String", "", .string("")), ("String", " a ", .string(" a ")), ("Boolean", "YES", .boolean(true)),
    ("Boolean", "NO", .boolean(false)), ("Boolean", "1", .boolean(true)), ("Boolean", "0", .boolean(false)),
    ("Boolean", "x", .boolean(false)), ("Integer 16", "12", .integer(12)), ("Integer 32", "YES", .integer(0)),
    ("Integer 64", "-7abc", .integer(-7)), ("Integer 64", "+7", .integer(7)),
    ("Integer 64", "-", .integer(0)),
    ("Integer 64", "99999999999999999999999", .integer(.max)),
    ("Integer 64", "-99999999999999999999999", .integer(.min)), ("Integer 16", "", .integer(0)),
    ("Double", "1.5", .double(1.5)), ("Float", "-2e3", .double(-2000)), ("Double", "x", .double(0)),
    ("Double", "nan", .double(0)), ("Double", "inf", .double(0)), ("Double", "1.5 km", .double(1.5)),
    ("Decimal", "10.11", .decimal(Decimal(sign: .plus, exponent: -2, significand: 1011))),
    ("URI", "https://a", .uri("https://a")), ("Binary", "AAEC", .binary(Data([0, 1, 2]))),
    ("Binary", "!", nil),
    ("UUID", "not one", nil),
    (
      "UUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
      UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map(AttributeValue.uuid)
    ), ("Transformable", "x", nil), ("Undefined", "x", nil), ("Date", "display text", nil),
  ]

  @Test("default values are read", arguments: defaultValues)
  func values(type: String, text: String, value: AttributeValue?) throws {
    let attribute = try ModelText.attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
  }

  @Test(
    "a decimal number with an absurd exponent doesn't crash the reader",
    arguments: ["1e99999", "9e9999999999999999999", "e", "."])
  func decimals(text: String) throws {
    _ = try ModelText.attribute("attributeType=\"Decimal\" defaultValueString=\"\(text)\"")
  }

  @Test("a date's default and limits are read from the intervals, never from the display text")
  func dates() throws {
    let attribute = try ModelText.attribute(
      "attributeType=\"Date\" defaultValueString=\"1 Jan\" defaultDateTimeInterval=\"5\" minDateTimeInterval=\"-1.5\" "
        + "minValueString=\"then\" maxValueString=\"12\"")
    #expect(attribute.defaultValue == .date(5))
    #expect(attribute.limits == Attribute.Limits(minimum: .date(-1.5), maximum: nil))
    for text in ["nan", "inf", "-inf", "x", ""] {
      #expect(
        try ModelText.attribute("attributeType=\"Date\" defaultDateTimeInterval=\"\(text)\"").defaultValue
          == nil)
    }
  }

  @Test("the limits of a number are values, and the limits of a string are lengths")
  func limits() throws {
    let text = "minValueString=\"2\" maxValueString=\"8\" regularExpressionString=\"[a-z]+\""
    #expect(
      try ModelText.attribute("attributeType=\"String\" \(text)").limits
        == Attribute.Limits(minimum: .integer(2), maximum: .integer(8), regularExpression: "[a-z]+"))
    #expect(try ModelText.attribute("attributeType=\"Double\" \(text)").limits.maximum == .double(8))
    #expect(try ModelText.attribute("attributeType=\"Integer 16\" \(text)").limits.minimum == .integer(2))
  }

  @Test("derived attributes keep their expression")
  func derived() throws {
    let attribute = try ModelText.attribute(
      "attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now()\"")
    #expect(attribute.derivationExpression == "now()")
    #expect(attribute.isDerived)
    #expect(try ModelText.attribute("attributeType=\"Date\"").isDerived == false)
  }

  @Test("composite attributes are read, also nested ones")
  func composites() throws {
    let reading = try ModelText.read(
      "<entity name=\"N\"><attribute name=\"home\" optional=\"YES\" attributeType=\"Composite\" composite=\"Address\"/></entity>"
        + "<composite name=\"Address\"><attribute name=\"city\" attributeType=\"String\"/>"
        + "<attribute name=\"spot\" optional=\"YES\" attributeType=\"Composite\" composite=\"Point\"/></composite>"
        + "<composite name=\"Point\"><attribute name=\"x\" attributeType=\"Double\"/></composite>"
        + "<composite name=\"Empty\"/>")
    let home = try #require(reading.model.entities.first?.attributes.first)
    #expect(home.type == .composite)
    #expect(home.isOptional)
    #expect(home.elements.map(\.name) == ["city", "spot"])
    #expect(home.elements.last?.elements == [Attribute(name: "x", type: .double)])
    #expect(home.elements.last?.isOptional == true)
  }

  @Test(
    "a model's attributes have a composite's elements in its place; the hashes are those of the whole attribute"
  )
  func compositeElements() throws {
    let reading = try ModelText.read(
      "<entity name=\"N\"><attribute name=\"home\" optional=\"YES\" attributeType=\"Composite\" composite=\"Address\" "
        + "elementID=\"house\"/><attribute name=\"a\" attributeType=\"String\"/></entity>"
        + "<composite name=\"Address\"><attribute name=\"zip\" attributeType=\"String\"/>"
        + "<attribute name=\"city\" attributeType=\"String\" elementID=\"town\"/></composite>")
    let model = reading.model
    #expect(model.attributes(of: "N").map(\.name) == ["a", "home.city", "home.zip"])
    #expect(model.attributes(of: "N").map(\.isOptional) == [false, true, true])
    #expect(model.attribute("home.city", of: "N")?.renamingIdentifier == "house.town")
    #expect(model.elements(ofComposite: "home", of: "N").map(\.name) == ["home.zip", "home.city"])
    #expect(model.elements(ofComposite: "a", of: "N") == [])
    #expect(model.propertyNames(of: "N") == ["a", "home"])
    let whole = try #require(model.attributes(of: "N").declared.last)
    #expect(whole.elements.map(\.name) == ["zip", "city"])
    let plain = try ManagedObjectModel(entities: [
      Entity(name: "N", attributes: [whole, Attribute(name: "a", type: .string)])
    ])
    #expect(plain.entityVersionHashes == model.entityVersionHashes)
    #expect(try ManagedObjectModel.merging([model]) == model)
  }

  @Test("an unknown type is refused, and the error names entity and attribute")
  func unknownType() {
    let error = #expect(throws: ModelError.self) { try ModelText.attribute("attributeType=\"Integer 8\"") }
    #expect(
      error?.description.hasPrefix(
        "attribute “Nota.a”: “attributeType” is “Integer 8”, where one of Undefined, Integer 16, ") == true)
  }
}
