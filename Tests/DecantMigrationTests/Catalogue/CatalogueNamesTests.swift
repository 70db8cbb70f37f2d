import DecantModel
import FileNames
import Foundation
import Testing

@testable import DecantMigration

/// Names of a catalogue's files that differ by the normal form of a letter alone.
@Suite struct CatalogueNamesTests {
  private let composed = "Caf\u{E9}"
  private let decomposed = "Cafe\u{301}"

  @Test func familiesInTwoFormsAreTwoFamiliesAlsoOnTheShelf() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "\(composed)/N.xcdatamodeld")
      try folder.write([("B", note("b"))], bundle: "\(decomposed)/N.xcdatamodeld")
      let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
      for _ in 0..<2 {
        let catalogue = try shelf.catalogue(at: folder.url)
        #expect(catalogue.families.map { FileName($0.name) } == [FileName(decomposed), FileName(composed)])
        #expect(catalogue.families.map { $0.versions[0].name } == ["B", "A"])
      }
      for (name, version) in [(composed, "A"), (decomposed, "B")] {
        let catalogue = try shelf.catalogue(at: folder.url, family: name)
        #expect(catalogue.families.map { $0.versions[0].name } == [version])
        let hashes = try ManagedObjectModel(entities: note(version.lowercased())).entityVersionHashes
        guard case .known(let family, _) = try folder.read().recognise(hashes, family: name) else {
          Issue.record("\(name) is not known")
          continue
        }
        #expect(FileName(family.name) == FileName(name))
      }
    }
  }

  @Test func aFamilyIsFoundByTheOnlyNameThatLooksLikeTheTypedOne() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "\(decomposed)/N.xcdatamodeld")
      #expect(try Catalogue.read(at: folder.url, family: composed).families.count == 1)
    }
  }

  @Test func mappingModelsInTwoFormsAreTwoAndOrderMeansEachByItsBytes() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "N/N.xcdatamodeld")
      for name in [composed, decomposed] { try folder.writeMapping("N/\(name)", from: "A", to: "B") }
      for order in [[composed, decomposed], [decomposed, composed]] {
        try folder.write("{ order: [\"\(order[0])\", \"\(order[1])\"] }", to: "N/family.json5")
        let family = try folder.family("N")
        #expect(family.mappingModels.map { FileName($0.file.name) } == order.map { FileName($0) })
        #expect(family.mappingModels.map(\.order) == [0, 1])
      }
      try folder.write("{ order: [\"\(composed)\", \"\(composed)\"] }", to: "N/family.json5")
      #expect(try folder.fault("N")?.contains("twice") == true)
      try FileManager.default.removeItem(
        atPath: folder.url.appendingPathComponent("N/\(composed).mapping.json5").path)
      try folder.write("{ order: [\"\(composed)\"] }", to: "N/family.json5")
      #expect(try folder.family("N").mappingModels.map(\.order) == [0])
    }
  }

  @Test func aVersionIsTheOneOfTheTypedBytes() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        [(decomposed, note("b")), (composed, note("a"))], bundle: "N/N.xcdatamodeld")
      let family = try folder.family("N")
      #expect(family.versions.count == 2)
      for (name, property) in [(composed, "a"), (decomposed, "b")] {
        let version = try #require(family.version(named: name))
        #expect(FileName(version.name) == FileName(name))
        #expect(version.model.attribute(property, of: "Note") != nil)
      }
    }
  }
}
