import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@Suite struct CompiledModelTests {
  @Test(arguments: [
    CompiledModelWriter.Form.compiled, .cacheWithProxies, .cacheWithCopies,
  ])
  func everyFormReadsToTheModelThatWasWritten(form: CompiledModelWriter.Form) throws {
    let model = try SampleModel.make()
    let reading = try CompiledModelReader.read(CompiledModelWriter.data(model, as: form))
    var comparison = ModelComparison()
    comparison.compare(reading.model, model)
    #expect(comparison.differences == [])
    #expect(reading.model == model)
    #expect(reading.model.entityVersionHashes == model.entityVersionHashes)
    #expect(reading.warnings.isEmpty)
  }

  /// Reads a model of one entity with one attribute, whose archive has these keys.
  private func attribute(
    _ className: String = "NSAttributeDescription", _ keys: (inout ArchiveWriter) -> [String: PropertyList]
  ) throws -> (attribute: Attribute, warnings: [String]) {
    var writer = ArchiveWriter()
    var own = keys(&writer)
    own["NSPropertyName"] = writer.text("a")
    let property = writer.add(className, own)
    let root = OneEntity.root(&writer, properties: [("a", property)])
    let reading = try CompiledModelReader.read(writer.data(root: root))
    return (try #require(reading.model.attribute("a", of: "E")), reading.warnings)
  }

  @Test(arguments: [
    (AttributeType.boolean, PropertyList.integer(1), AttributeValue.boolean(true)),
    (.boolean, .boolean(false), .boolean(false)), (.double, .integer(0), .double(0)),
    (.float, .single(0.5), .double(0.5)), (.integer64, .integer(.min), .integer(.min)),
    (.integer16, .real(3), .integer(3)), (.decimal, .integer(12), .decimal(12)), (.date, .date(3), .date(3)),
    (
      .uuid, .string("00000000-0000-0000-0000-000000000001"),
      .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    ),
  ])
  func defaultsTakeTheFormOfTheAttributesType(
    type: AttributeType, value: PropertyList, expected: AttributeValue
  ) throws {
    let read = try attribute { _ in
      ["NSAttributeType": .integer(Int64(type.rawValue)), "NSDefaultValue": value]
    }
    #expect(read.attribute.defaultValue == expected)
  }

  @Test(arguments: [
    (AttributeType.integer16, PropertyList.string("x")), (.integer64, .unsigned(.max)),
    (.integer64, .real(1e30)),
    (.integer64, .real(.nan)), (.double, .real(.nan)), (.decimal, .real(.infinity)), (.decimal, .real(1e300)),
    (.date, .integer(1)), (.string, .integer(1)), (.uuid, .string("x")), (.binary, .string("x")),
  ])
  func aDefaultOfAnotherKindIsRefused(type: AttributeType, value: PropertyList) {
    #expect(throws: ModelError.self) {
      try attribute { _ in ["NSAttributeType": .integer(Int64(type.rawValue)), "NSDefaultValue": value] }
    }
  }

  @Test("a default value of the application's own class is ignored, with a warning")
  func aDefaultOfTheApplicationsOwnClassIsLeftAsideWithAWord() throws {
    let read = try attribute { writer in
      ["NSAttributeType": .integer(1800), "NSDefaultValue": writer.add("App.Cover", ["text": .integer(1)])]
    }
    #expect(read.attribute.defaultValue == nil)
    #expect(
      read.warnings == ["attribute “E.a”: the default value, an object of class “App.Cover”, is ignored"])
  }

  @Test func validationPredicatesBecomeLimitsAgain() throws {
    let number = try attribute { writer in
      [
        "NSAttributeType": .integer(500),
        "NSValidationPredicates": Predicates.list(
          &writer,
          [Predicates.compare(&writer, nil, 3, .real(0)), Predicates.compare(&writer, nil, 1, .integer(10))]),
      ]
    }.attribute
    #expect(number.limits == Attribute.Limits(minimum: .double(0), maximum: .double(10)))
    #expect(number.validationPredicates.isEmpty)
    let text = try attribute { writer in
      let length = Predicates.both(
        &writer,
        [
          Predicates.compare(&writer, "length", 3, .integer(1)),
          Predicates.compare(&writer, "length", 1, .integer(9)),
        ])
      let pattern = Predicates.compare(&writer, nil, 6, .string("[a-z]+"))
      let other = Predicates.compare(&writer, nil, 99, .string("say \"hi\""), options: 3)
      return [
        "NSAttributeType": .integer(700),
        "NSValidationPredicates": Predicates.list(&writer, [length, pattern, other]),
      ]
    }.attribute
    #expect(
      text.limits
        == Attribute.Limits(minimum: .integer(1), maximum: .integer(9), regularExpression: "[a-z]+"))
    #expect(text.validationPredicates.map(\.format) == ["SELF CONTAINS[cd] \"say \\\"hi\\\"\""])
  }

  @Test("the warning of a validation predicate is kept, unless it is the usual code of the limit")
  func whatTheModelSaysOfABrokenRuleIsKeptUnlessItIsTheCodeOfThatLimit() throws {
    let number = try attribute { writer in
      let least = Predicates.compare(&writer, nil, 3, .integer(0))
      let most = Predicates.compare(&writer, nil, 1, .integer(10))
      let other = Predicates.compare(&writer, nil, 5, .integer(4))
      let last = Predicates.compare(&writer, nil, 5, .integer(5))
      let warnings = [writer.add(.integer(1620)), writer.text("Ten at most"), writer.add(.integer(4711))]
      return [
        "NSAttributeType": .integer(200),
        "NSValidationPredicates": Predicates.list(&writer, [least, most, other, last]),
        "NSValidationWarnings": writer.array(warnings),
      ]
    }.attribute
    #expect(number.limits.minimumWarning == nil && number.limits.minimum == .integer(0))
    #expect(number.limits.maximumWarning == .message("Ten at most"))
    #expect(
      number.validationPredicates == [
        ValidationPredicate(format: "SELF != 4", warning: .code(4711)),
        ValidationPredicate(format: "SELF != 5"),
      ])
  }

  @Test("a validation predicate of an unknown class is ignored, with a warning")
  func aValidationPredicateOfAnUnknownClassIsLeftAsideWithAWord() throws {
    let read = try attribute { writer in
      let block = writer.add("NSBlockPredicate", [:])
      return ["NSAttributeType": .integer(700), "NSValidationPredicates": writer.array([block])]
    }
    #expect(read.attribute.limits == Attribute.Limits())
    #expect(read.warnings.count == 1 && read.warnings[0].contains("NSBlockPredicate"))
  }

  @Test(
    "a derivation expression is read as the text that a model's source has",
    arguments: [
      ("now", [], "now()"), ("count:", ["pages"], "pages.@count"),
      ("uppercase:", ["title"], "uppercase:(title)"),
    ])
  func derivationsGetTheTextThatSourcesHave(selector: String, paths: [String], format: String) throws {
    let read = try attribute("NSDerivedAttributeDescription") { writer in
      let arguments = paths.map { Predicates.path(&writer, $0) }
      return [
        "NSAttributeType": .integer(300),
        "NSDerivationExpression": Predicates.function(&writer, selector, arguments),
      ]
    }.attribute
    #expect(read.derivationExpression == format)
    var source = Attribute(name: "a", type: .integer64)
    source.derivationExpression = format
    #expect(read.versionHash == source.versionHash)
  }

  @Test func aDerivationThatHasNoTextMakesTheModelUnreadable() {
    #expect(throws: ModelError.self) {
      try attribute("NSDerivedAttributeDescription") { writer in
        ["NSAttributeType": .integer(300), "NSDerivationExpression": writer.add("NSBlockExpression", [:])]
      }
    }
  }
}
