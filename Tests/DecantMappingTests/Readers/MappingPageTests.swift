import DecantTestSupport
import Foundation
import Testing

@testable import DecantMapping

/// Checks docs/mapping-models.md, from which the manual page decant-mapping(5) is made.
@Suite("The page about mapping models as text")
struct MappingPageTests {
  private let text: String

  init() throws {
    text = try Repository.text("docs/mapping-models.md")
  }

  /// The keys in the first column of a section's table.
  private func keys(_ heading: String) throws -> [String] {
    let start = try #require(text.range(of: "### \(heading)\n"))
    let section = text[start.upperBound...].prefix(
      upTo: text.range(of: "\n##", range: start.upperBound..<text.endIndex)?.lowerBound ?? text.endIndex)
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
  }

  @Test("it explains every key that the reader knows, and no other")
  func explained() throws {
    #expect(try keys("Keys of the file").sorted() == TextMappingReader.keys.sorted())
    #expect(try keys("Keys of an entity mapping").sorted() == TextEntityMapping.keys.sorted())
  }

  @Test("its complete texts can be read and compiled")
  func examples() throws {
    let (source, destination) = try TextMappingTests.models()
    let blocks = text.components(separatedBy: "```json5\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }.filter { $0.hasPrefix("{") }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let made = try readText(block).compiled(from: source, to: destination)
      #expect(!made.entityMappings.isEmpty)
    }
  }
}
