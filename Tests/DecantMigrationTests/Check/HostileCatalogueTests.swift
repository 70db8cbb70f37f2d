import CatalogueSupport
import Foundation
import Testing

@testable import DecantMigration

/// A damaged catalogue gives findings, never a trap.
@Suite struct HostileCatalogueTests {
  /// Random numbers that are the same in every run.
  private struct Changes: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func aHundredSpoiledFiles() throws {
    var changes = Changes(state: 9)
    try CatalogueFolder.with { folder in
      let bundle = "Notas/Notas.xcdatamodeld"
      try folder.write([("A", note("a", "k")), ("B", note("b") + note("n", named: "Kind"))], bundle: bundle)
      try folder.write(
        """
        { source: "A", destination: "B", entityMappings: [
          { source: "Note", destination: "Kind", uniqueBy: "$source.k", attributes: { n: "$source.k" } },
          { source: "Note", destination: "Note", filter: "a != nil", chunks: ["a < 'n'", "a >= 'n'"],
            attributes: { b: "uppercase($source.a)" }, policy: { program: ["sh"] } } ] }
        """, to: "Notas/Step.mapping.json5")
      try folder.write("{ target: \"B\", path: [\"A\", \"B\"], order: [\"Step\"] }", to: "Notas/family.json5")
      try StaleHashTests.compiled(
        from: [:], to: try folder.family("Notas").versions[1].hashes, properties: ["b"]
      )
      .write(to: folder.url.appendingPathComponent("Notas/Other.cdm"))
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted().filter { path in
        var isFolder: ObjCBool = false
        let file = folder.url.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
      }
      #expect(files.count == 6)
      for round in 0..<100 {
        let file = folder.url.appendingPathComponent(files[round % files.count])
        let genuine = try Data(contentsOf: file)
        var bytes = [UInt8](genuine)
        for _ in 0...Int.random(in: 0...3, using: &changes) where !bytes.isEmpty {
          let at = Int.random(in: 0..<bytes.count, using: &changes)
          switch Int.random(in: 0...3, using: &changes) {
          case 0: bytes[at] = UInt8.random(in: 0...255, using: &changes)
          case 1: bytes.remove(at: at)
          case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &changes)], at: at)
          default: bytes.removeSubrange(at..<min(bytes.count, at + 30))
          }
        }
        try Data(bytes).write(to: file)
        let report = try CatalogueCheck.report(at: folder.url)
        #expect(report.families.count == 1)
        #expect(try JSONDecoder().decode(CatalogueReport.self, from: JSONEncoder().encode(report)) == report)
        try genuine.write(to: file)
      }
    }
  }

  @Test func filesOfTheWrongKind() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Notas/Notas.xcdatamodeld")
      // Folders and broken links in place of files.
      try folder.write("", to: "Notas/Step.cdm/x")
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appendingPathComponent("Notas/Link.mapping.json5").path,
        withDestinationPath: "/no/such")
      #expect(try CatalogueCheck.report(at: folder.url).count(.error) == 2)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Notas/Step.cdm"))
      #expect(try CatalogueCheck.report(at: folder.url).count(.error) == 1)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Notas/Link.mapping.json5"))
      #expect(try CatalogueCheck.report(at: folder.url).families.map(\.isUsable) == [true])
    }
  }
}
