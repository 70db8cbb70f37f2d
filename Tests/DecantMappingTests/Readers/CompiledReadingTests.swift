import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat
import Testing

@testable import DecantMapping

/// Reads compiled mapping models, `.cdm` (docs/formats/mapping-models.md 2).
@Suite struct CompiledReadingTests {
  private func read(
    _ change: (inout ArchiveWriter, inout [String: PropertyList]) throws -> Void
  ) throws -> MappingModelReading {
    var writer = ArchiveWriter()
    var keys: [String: PropertyList] = [
      "NSMappingName": writer.text("AToB"), "NSMappingType": .integer(5),
      "NSSourceEntityName": writer.text("A"),
      "NSDestinationEntityName": writer.text("B"),
      "NSSourceEntityVersionHash": .data(Data(repeating: 1, count: 32)),
    ]
    try change(&writer, &keys)
    let mapping = writer.add("NSEntityMapping", keys)
    let root = writer.add("NSMappingModel", ["NSEntityMappings": writer.array([mapping])])
    let data = writer.data(root: root)
    return try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("Some.cdm")
      try data.write(to: url)
      return try MappingModelReading.read(at: url)
    }
  }

  private func reason(
    _ change: (inout ArchiveWriter, inout [String: PropertyList]) throws -> Void
  ) throws -> String? {
    do {
      _ = try read(change)
      return nil
    } catch MappingModelError.malformed(_, let reason, _, _) {
      return reason
    }
  }

  @Test func aMappingIsReadWithItsFilterAndRows() throws {
    let reading = try read { writer, keys in
      let fetch = writer.add(
        "NSFunctionExpression",
        [
          "NSExpressionType": .integer(4), "NSSelectorName": writer.text(SourceFetch.selector),
          "NSOperand": Self.variable("manager", &writer),
          "NSArguments": writer.array([
            Self.constant("A", &writer), Self.constant("x != nil", &writer),
          ]),
        ])
      keys["NSSourceExpression"] = writer.add(
        "NSFetchRequestExpression",
        [
          "NSExpressionType": .integer(50), "NSFRExpression": fetch,
          "NSMOCExpression": Self.path("manager", "sourceContext", &writer), "NSCountOnlyFlag": .boolean(false),
        ])
      let one = writer.add(
        "NSPropertyMapping",
        [
          "NSDestinationPropertyName": writer.text("y"), "NSValueExpression": Self.path("source", "x", &writer),
        ])
      let two = writer.add("NSPropertyMapping", ["NSDestinationPropertyName": writer.text("z")])
      keys["NSAttributeMappings"] = writer.array([one, two])
      keys["NSUserInfo"] = writer.dictionary([("a", .string("b"))])
      keys["NSEntityMigrationPolicyClassName"] = writer.text("P")
    }
    let mapping = try #require(try reading.compiled().entityMappings.first)
    #expect(mapping.filter == .compare(.key("x"), .notEqual, .constant(.null)))
    #expect(mapping.sourceExpression == nil && mapping.type == .transform && mapping.policy == .className("P"))
    #expect(mapping.userInfo == ["a": "b"])
    #expect(mapping.sourceHash?.bytes == [UInt8](repeating: 1, count: 32) && mapping.destinationHash == nil)
    #expect(
      mapping.attributeMappings == [
        .init(destinationName: "y", value: .expression(.source("x"))),
        .init(destinationName: "z", value: .unset),
      ])
  }

  @Test func unknownClassesNumbersAndHashesAreRefusedByName() throws {
    #expect(try reason { _, keys in keys["NSMappingType"] = .integer(6) }?.contains("NSMappingType") == true)
    #expect(
      try reason { _, keys in keys["NSMappingType"] = .integer(.max) }?.contains("expected") == true)
    #expect(
      try reason { _, keys in keys["NSSourceEntityVersionHash"] = .data(Data([1])) }?.contains("32 bytes")
        == true)
    #expect(try reason { _, keys in keys["NSMappingName"] = nil }?.contains("NSMappingName") == true)
    let odd = try reason { writer, keys in
      keys["NSAttributeMappings"] = writer.array([writer.add("NSOddMapping", [:])])
    }
    #expect(odd?.contains("NSOddMapping") == true)
    let block = try reason { writer, keys in
      let row = writer.add(
        "NSPropertyMapping",
        [
          "NSDestinationPropertyName": writer.text("x"),
          "NSValueExpression": writer.add("NSBlockExpression", [:]),
        ])
      keys["NSAttributeMappings"] = writer.array([row])
    }
    #expect(block?.contains("NSBlockExpression") == true)
  }

  private static func variable(_ name: String, _ writer: inout ArchiveWriter) -> PropertyList {
    writer.add("NSVariableExpression", ["NSExpressionType": .integer(2), "NSVariable": writer.text(name)])
  }

  private static func constant(_ text: String, _ writer: inout ArchiveWriter) -> PropertyList {
    writer.add(
      "NSConstantValueExpression", ["NSExpressionType": .integer(0), "NSConstantValue": writer.text(text)])
  }

  private static func path(_ name: String, _ key: String, _ writer: inout ArchiveWriter) -> PropertyList {
    let specifier = writer.add(
      "NSKeyPathSpecifierExpression", ["NSExpressionType": .integer(10), "NSKeyPath": writer.text(key)])
    return writer.add(
      "NSKeyPathExpression",
      [
        "NSExpressionType": .integer(4), "NSSelectorName": writer.text("valueForKeyPath:"),
        "NSOperand": variable(name, &writer), "NSArguments": writer.array([specifier]),
      ])
  }
}
