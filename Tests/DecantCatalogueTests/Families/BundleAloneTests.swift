import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

/// Files beside a model bundle that is given without its folder.
@Suite("A model bundle given alone") struct BundleAloneTests {
  private static let versions = [("A", note("a")), ("B", note("b"))]
  private static let step =
    "{ source: \"A\", destination: \"B\", entityMappings: [{ source: \"Note\", "
    + "destination: \"Note\", attributes: { b: \"$source.a\" } }] }"

  private func state(_ folder: CatalogueFolder, _ path: String = "Notas.xcdatamodeld") throws -> FamilyState {
    try #require(try Catalogue.read(at: folder.url.appendingPathComponent(path)).states.first)
  }

  private func family(_ folder: CatalogueFolder, _ path: String = "Notas.xcdatamodeld") throws -> Family {
    switch try state(folder, path) {
    case .ready(let family): return family
    case .broken(let broken): throw broken.faults[0]
    }
  }

  @Test func mappingModelsSettingsAndReferenceStoresBesideItCount() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas.xcdatamodeld")
      try folder.write(Self.step, to: "Step.mapping.json5")
      try folder.write("{ dataLoss: \"refuse\" }", to: "family.json5")
      try folder.write("x", to: "reference/A.sqlite")
      try folder.write("let x = 1", to: "Source.swift")
      let family = try family(folder)
      #expect(family.name == "Notas" && family.mappingModels.map(\.file.name) == ["Step"])
      #expect(family.configuration.dataLoss == .refuse)
      #expect(family.referenceStores.map(\.lastPathComponent) == ["A.sqlite"])
      #expect(family.folder.path == folder.url.standardizedFileURL.path)
      #expect(
        family.notes == [
          "Files beside Notas.xcdatamodeld are used, too: “Step.mapping.json5”, “family.json5”, “reference” in "
            + "\(folder.url.standardizedFileURL.path)."
        ])
    }
  }

  @Test func aSlipBesideItBreaksTheFamily() throws {
    for slip in [("family.json5", "{ x: 1 }"), ("Step.mapping.json5", "{"), ("Step.mapping.json5", Self.step)] {
      try CatalogueFolder.with { folder in
        // With only one version, the mapping model isn't for any pair of versions.
        let versions = slip.1 == Self.step ? [Self.versions[1]] : Self.versions
        try folder.write(versions, bundle: "Notas.xcdatamodeld")
        try folder.write(slip.1, to: slip.0)
        guard case .broken(let broken) = try state(folder) else {
          Issue.record("\(slip) is passed over")
          return
        }
        #expect(broken.sentences.contains { $0.contains(slip.0) }, "\(broken.sentences)")
      }
    }
  }

  @Test func ofSeveralBundlesOnlyItsOwnMappingModelsCount() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas.xcdatamodeld")
      try folder.write(
        [("F", note("x", named: "Foto")), ("G", note("y", named: "Foto"))], bundle: "Fotos.xcdatamodeld")
      try folder.write(Self.step, to: "Step.mapping.json5")
      try folder.writeMapping("Other", from: "F", to: "G")
      let family = try family(folder)
      #expect(family.mappingModels.map(\.file.name) == ["Step"] && family.versions.count == 2)
      #expect(
        family.notes.last?.hasPrefix(
          "Files beside Notas.xcdatamodeld that are for other models aren't used: “Other.mapping.json5” in ")
          == true)
      #expect(try self.family(folder, "Fotos.xcdatamodeld").mappingModels.map(\.file.name) == ["Other"])
    }
  }

  @Test func aMappingModelBetweenTwoBundlesAsksForTheFolder() throws {
    try CatalogueFolder.with { folder in
      try folder.write([Self.versions[0]], bundle: "Old.xcdatamodeld")
      try folder.write([Self.versions[1]], bundle: "Notas.xcdatamodeld")
      try folder.write(Self.step, to: "Step.mapping.json5")
      guard case .broken(let broken) = try state(folder) else {
        Issue.record("the mapping model is passed over")
        return
      }
      #expect(broken.sentences.contains { $0.contains("Name the folder") }, "\(broken.sentences)")
    }
  }

  @Test func aCompiledBundleIsReadWithItsOwnModels() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas.xcdatamodeld")
      try folder.write(Self.step, to: "Step.mapping.json5")
      try FileManager.default.createSymbolicLink(
        at: folder.url.appendingPathComponent("Linked.xcdatamodeld"),
        withDestinationURL: folder.url.appendingPathComponent("Notas.xcdatamodeld"))
      #expect(try family(folder, "Notas.xcdatamodeld/.").mappingModels.count == 1)
      #expect(try family(folder, "Notas.xcdatamodeld/").mappingModels.count == 1)
    }
  }

  // MARK: Symbolic links

  private func link(_ name: String, in folder: CatalogueFolder) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: url, withDestinationURL: folder.url.appendingPathComponent("real/Notas.xcdatamodeld"))
  }

  @Test func ofALinkWithNothingBesideItWhatLiesBesideTheBundleCounts() throws {
    for name in ["links/Link.xcdatamodeld", "links/Link", "Link.xcdatamodeld"] {
      try CatalogueFolder.with { folder in
        try folder.write(Self.versions, bundle: "real/Notas.xcdatamodeld")
        try folder.write(Self.step, to: "real/Step.mapping.json5")
        try folder.write("{ dataLoss: \"refuse\" }", to: "real/family.json5")
        try link(name, in: folder)
        let family = try family(folder, name)
        #expect(family.name == "Notas" && family.mappingModels.map(\.file.name) == ["Step"], "\(name)")
        #expect(family.configuration.dataLoss == .refuse && family.warnings == [])
        #expect(family.notes.first?.contains("“Step.mapping.json5”, “family.json5” in /") == true)
        #expect(family.notes.first?.hasSuffix("/real.") == true, "\(family.notes)")
      }
    }
  }

  @Test func whatLiesBesideALinkComesFirstAndTheRestIsNamed() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "real/Notas.xcdatamodeld")
      try folder.write(Self.step, to: "links/Own.mapping.json5")
      try link("links/Link.xcdatamodeld", in: folder)
      var family = try family(folder, "links/Link.xcdatamodeld")
      #expect(family.name == "Link" && family.mappingModels.map(\.file.name) == ["Own"])
      #expect(family.warnings == [])
      try folder.write(Self.step, to: "real/Step.mapping.json5")
      family = try self.family(folder, "links/Link.xcdatamodeld")
      #expect(family.mappingModels.map(\.file.name) == ["Own"])
      #expect(family.warnings.count == 1)
      #expect(
        family.warnings.first?.contains("leads, aren't used: “Step.mapping.json5”.") == true,
        "\(family.warnings)"
      )
    }
  }

  @Test func aShelfNoticesAMappingModelThatIsPutBesideIt() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas.xcdatamodeld")
      let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
      let url = folder.url.appendingPathComponent("Notas.xcdatamodeld")
      #expect(try shelf.catalogue(at: url).families.first?.mappingModels.isEmpty == true)
      try folder.write(Self.step, to: "Step.mapping.json5")
      #expect(try shelf.catalogue(at: url).families.first?.mappingModels.count == 1)
      try folder.write("{ x: 1 }", to: "family.json5")
      #expect(try shelf.catalogue(at: url).brokenFamilies.count == 1)
    }
  }
}
