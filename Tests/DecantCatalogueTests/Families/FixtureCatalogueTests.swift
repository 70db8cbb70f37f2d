import CatalogueSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCatalogue

/// The genuine families in the fixtures' folder.
@Suite(.enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)")) struct FixtureCatalogueTests {
  @Test func everyFamilyOfTheStoresIsRead() throws {
    let catalogue = try Catalogue.read(at: SharedFixtures.root.appendingPathComponent("stores"))
    #expect(catalogue.brokenFamilies.isEmpty)
    let versions = Dictionary(uniqueKeysWithValues: catalogue.families.map { ($0.name, $0.versions.count) })
    // The 90 models of wire have 83 different sets of version hashes.
    #expect(
      versions == [
        "apple-coredatabooks": 1, "apple-eventmanager": 1, "restkit-twitter": 1, "apptentive": 6,
        "artsy-folio": 19, "bergier": 5, "bookmigration": 3, "carekit": 2, "cartkit": 1,
        "contentful": 4, "coredataplus": 6, "ddg-bookmarks": 6, "derived-attribute": 2, "loopkit": 3,
        "m3coredata": 1, "moody": 6, "mwkcoredata": 3, "surfjournal": 1, "translationcatalog": 3, "wibosco": 4,
        "wire": 83, "xcserver": 7,
      ])
    let wire = try #require(catalogue.families.first { $0.name == "wire" })
    #expect(wire.versions.flatMap(\.names).count == 90)
    #expect(try wire.target().name == "zmessaging2.101.0")
  }

  @Test(arguments: [
    ("apptentive", ["1-2", "2-3", "3-4", "4-5", "5-6"]), ("artsy-folio", []),
    ("bookmigration", ["1-2", "2-3", "2-3"]), ("carekit", ["1-2"]), ("coredataplus", ["2-6"]),
    ("derived-attribute", ["1-2"]), ("loopkit", ["2-3"]), ("moody", ["2-3", "3-4", "4-5", "5-6"]),
    ("mwkcoredata", ["2-3"]), ("translationcatalog", ["1-2", "2-3"]), ("wibosco", ["2-3"]),
    ("xcserver", ["3-4", "3-5", "5-6"]),
  ])
  func everyMappingModelFindsItsPair(name: String, pairs: [String]) throws {
    let family = try SharedFixtures.family(name)
    #expect(family.mappingModels.map { "\($0.source + 1)-\($0.destination + 1)" } == pairs)
    // CareKit's file names a version that was renamed later.
    #expect(family.warnings.count == (name == "carekit" ? 1 : 0), "\(family.warnings)")
  }

  @Test func everyFamilyOfTheMappingModelsIsRead() throws {
    let catalogue = try Catalogue.read(at: SharedFixtures.root.appendingPathComponent("mapping"))
    #expect(catalogue.brokenFamilies.isEmpty)
    #expect(catalogue.families.contains { $0.name == "before-xcode4" })
  }

  @Test(arguments: ["books", "feedback", "sample-cars", "translation-catalog"])
  func aCompiledFileNamesTheSamePairAsItsSource(name: String) throws {
    let source = try SharedFixtures.family(name, of: "mapping")
    try CatalogueFolder.with { folder in
      for entry in try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
      where entry.hasSuffix(".cdm") || entry.hasSuffix(".xcdatamodeld") {
        let target = folder.url.appendingPathComponent("F/\(entry)")
        try folder.write("", to: "F/.keep")
        try FileManager.default.copyItem(at: source.folder.appendingPathComponent(entry), to: target)
      }
      let compiled = try folder.family("F")
      #expect(compiled.warnings.isEmpty)
      #expect(!compiled.mappingModels.isEmpty)
      #expect(
        compiled.mappingModels.map { "\($0.file.name) \($0.source)-\($0.destination)" }
          == source.mappingModels.map { "\($0.file.name) \($0.source)-\($0.destination)" })
    }
  }
}
