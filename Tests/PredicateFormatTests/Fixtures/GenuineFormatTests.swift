import DecantModel
import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat
import Testing

/// Reads and writes every predicate and expression of the genuine models and mapping models.
@Suite(.enabled(if: SharedFixtures.areThere, Comment(rawValue: SharedFixtures.reason)))
struct GenuineFormatTests {
  private static func files(ending suffix: String) -> [URL] {
    let walk = FileManager.default.enumerator(at: SharedFixtures.root, includingPropertiesForKeys: nil)
    return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.path.hasSuffix(suffix) }.sorted {
      $0.path < $1.path
    }
  }

  /// The expressions and predicates in an archive that aren't parts of others.
  private func roots(of archive: ArchiveNode) throws -> [ArchiveNode] {
    var found: [ArchiveNode] = []
    var seen: Set<Int> = []
    var allowance = ArchiveAllowance()
    func walk(_ node: ArchiveNode?) throws {
      guard let node, let number = node.number, seen.insert(number).inserted, let name = node.className else {
        return
      }
      if name.hasSuffix("Expression") || name.hasSuffix("Predicate") {
        found.append(node)
        return
      }
      if let elements = try? node.elements(&allowance) { for element in elements { try walk(element) } }
      for key in Self.keys {
        try walk(try node.member(key))
        if let entries = try? node.entries(key, &allowance) { for entry in entries { try walk(entry.value) } }
      }
    }
    try walk(archive)
    return found
  }

  private static let keys = [
    "NSEntityMappings", "NSAttributeMappings", "NSRelationshipMappings", "NSSourceExpression",
    "NSValueExpression",
    "NSEntities", "NSProperties", "NSValidationPredicates", "NSDerivationExpression", "NSPredicate",
    "NSFetchRequest",
    "NSFetchRequestTemplates", "NSFetchIndexes", "NSIndexes", "NSPartialIndexPredicate", "_NSFetchIndexes",
  ]

  /// Checks that a node can be read, printed and parsed, and written and read again.
  ///
  /// - Returns: The printed text.
  private func check(_ node: ArchiveNode, _ file: URL) throws -> String {
    if node.className?.hasSuffix("Predicate") == true {
      let predicate = try FormatPredicate(archive: node)
      #expect(try FormatPredicate(parsing: predicate.description) == predicate, "\(file.path)")
      let list = try predicate.archived()
      #expect(
        try FormatPredicate(archive: Archive(parsing: list.binaryData()).root()) == predicate, "\(file.path)")
      return predicate.description
    }
    let expression = try FormatExpression(archive: node)
    #expect(try FormatExpression(parsing: expression.description) == expression, "\(file.path)")
    let list = try expression.archived()
    #expect(
      try FormatExpression(archive: Archive(parsing: list.binaryData()).root()) == expression, "\(file.path)")
    return expression.description
  }

  @Test func archivedOnesAreReadPrintedAndWritten() throws {
    var texts: Set<String> = []
    var count = 0
    for suffix in [".cdm", ".mom", ".omo"] {
      for file in Self.files(ending: suffix) {
        let data = try Data(contentsOf: file)
        // Optimised models may have another format.
        if suffix == ".omo", !data.starts(with: Data("bplist".utf8)) { continue }
        let archive = try Archive(parsing: data)
        for node in try roots(of: archive.root()) {
          texts.insert(try check(node, file))
          count += 1
        }
      }
    }
    #expect(count == 406)
    #expect(texts.contains("pages.@count"))
    #expect(
      texts.contains {
        $0.hasPrefix("FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\"")
      })
    print("\(count) archived predicates and expressions, \(texts.count) distinct")
  }

  @Test func thoseOfMappingSourcesAreReadPrintedAndWritten() throws {
    var (expressions, filters) = (0, 0)
    for file in Self.files(ending: "xcmapping.xml") {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      for match in text.matches(of: #/<attribute name="(?:value|source)expressiondata" type="binary">([^<]*)</#)
      {
        let data = try #require(Data(base64Encoded: String(match.1), options: .ignoreUnknownCharacters))
        _ = try check(try Archive(parsing: data).root(), file)
        expressions += 1
      }
      for match in text.matches(of: #/<attribute name="sourcefilterpredicatestring" type="string">([^<]*)</#) {
        // A character is written as `\u` and its UTF-16 unit, with the low byte first.
        let filter = String(match.1).replacing(#/\\u([0-9a-f]{2})([0-9a-f]{2})/#) { unit in
          UInt32(unit.2 + unit.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
        }
        let predicate = try FormatPredicate(parsing: filter)
        #expect(try FormatPredicate(parsing: predicate.description) == predicate, "\(filter)")
        filters += 1
      }
    }
    #expect(expressions == 26)
    #expect(filters > 0)
    print("\(expressions) archived expressions and \(filters) filters of mapping sources")
  }

  @Test func thoseOfModelSourcesParseAndPrint() throws {
    var count = 0
    for file in Self.files(ending: "/contents") {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      for match in text.matches(of: #/(predicateString|partialIndexPredicate|derivationExpression)="([^"]*)"/#)
      {
        let format = match.2.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing(
          "&gt;", with: ">"
        )
        .replacing("&amp;", with: "&")
        if match.1 == "derivationExpression" {
          let expression = try FormatExpression(parsing: String(format))
          #expect(try FormatExpression(parsing: expression.description) == expression)
        } else {
          let predicate = try FormatPredicate(parsing: String(format))
          #expect(try FormatPredicate(parsing: predicate.description) == predicate)
        }
        count += 1
      }
    }
    #expect(count == 12)
    print("\(count) texts of model sources")
  }
}

/// Parses the examples of docs/formats/predicate-format.md 4, and all forms that genuine mapping models have.
@Suite struct SpecifiedFormatTests {
  @Test(arguments: [
    "image != nil", "title MATCHES '[a-hA-H].*'", "topicList.title LIKE[cd] \"a*\"", "messageID < 10000",
    "SELF.price < 12 AND (SELF.category=$FETCH_SOURCE)", "booleanAttribute == 1 AND floatAttribute > 5",
    "booleanAttribute = YES", "timestamp != nil", "length >= 1", "TRUEPREDICATE", "fecha < CAST(0, 'NSDate')",
    "categoria != nil",
  ])
  func predicatesParseAndPrint(text: String) throws {
    let predicate = try FormatPredicate(parsing: text)
    #expect(try FormatPredicate(parsing: predicate.description) == predicate)
  }

  @Test(arguments: [
    "$source.timeBudget * 60", "messages.@count", "$source.content.length * 0.2", "now()", "0", "1", "YES",
    "NO", "\"Unknown\"",
    "\"model migrated\"", "$source", "$source.recipes", "$source.country.continent",
    "$source.countries.@distinctUnionOfSets.moods",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"PersonToPerson\", $source.owner)",
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"cars\", $source.cars)",
    "$source.url.absoluteString", "$source.continent.numericISO3166Code",
    "FUNCTION($entityPolicy, \"toInt16WithValue:\", $source.bonusPoints)",
    "FUNCTION(CAST(\"MigrationFunctions\", \"Class\"), \"getFirstName:\", $source.name)",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Person\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)",
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NotaToCategoria', $source)",
  ])
  func expressionsParsePrintAndAreArchived(text: String) throws {
    let expression = try FormatExpression(parsing: text)
    #expect(try FormatExpression(parsing: expression.description) == expression)
    let list = try expression.archived()
    #expect(try FormatExpression(archive: Archive(parsing: list.binaryData()).root()) == expression)
  }
}
