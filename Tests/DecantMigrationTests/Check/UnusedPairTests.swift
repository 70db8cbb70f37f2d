import CatalogueSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Mapping models through which no way leads") struct UnusedPairTests {
  /// The first words of the notes about unused mapping models, in a family with the versions “V 1” to “V 4”.
  ///
  /// - Parameter texts: The numbers of source and destination version of each mapping model.
  private func unusedPairs(_ texts: [(Int, Int)], current: Int?, family: String? = nil) throws -> [String] {
    try CatalogueFolder.with { folder in
      let bundle = "Notas/Notas.xcdatamodeld"
      try folder.write((1...4).map { ("V \($0)", note("a\($0)!")) }, bundle: bundle)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("\(bundle)/.xccurrentversion"))
      if let current { try folder.writeCurrent("V \(current)", bundle: bundle) }
      if let family { try folder.write(family, to: "Notas/family.json5") }
      for (source, destination) in texts {
        try folder.write(
          "{ source: \"V \(source)\", destination: \"V \(destination)\", entityMappings: [{ source: \"Note\", "
            + "destination: \"Note\", attributes: { a\(destination): \"$source.a\(source)\" } }] }",
          to: "Notas/M\(source)\(destination).mapping.json5")
      }
      let report = try #require(CatalogueCheck.report(at: folder.url).families.first)
      return report.findings.map(\.message).filter { $0.contains("no version's path") }
        .map { String($0.prefix(15)) }
    }
  }

  @Test func thatNoWayLeadsThroughAMappingModelIsNotSaidWhereAnErrorIsTheReason() throws {
    // No target; a gap between V 3 and V 4; a target that seems to be older.
    #expect(try unusedPairs([(1, 2), (2, 3)], current: nil) == [])
    #expect(try unusedPairs([(1, 2), (2, 3)], current: 4) == [])
    #expect(try unusedPairs([(1, 2), (2, 4), (4, 3)], current: 4) == [])
    // Without other findings, the unused mapping model is reported.
    #expect(try unusedPairs([(1, 2), (2, 3), (3, 4), (4, 2)], current: 4) == ["“V 4” to “V 2” "])
  }
}
