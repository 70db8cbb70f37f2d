import CatalogueSupport
import DecantModel
import FileNames
import Foundation
import Testing

@testable import DecantCatalogue

/// Files of a catalogue whose names differ only in the Unicode normal form of a letter.
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

  @Test func bundlesInTwoFormsAreTwoAndEachSpeaksForItsOwnStores() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("A 2", note("a", "b"))], bundle: "N/\(composed).xcdatamodeld")
      try folder.write(
        [("X", note("x", named: "Foto")), ("X 2", note("x", "y", named: "Foto"))],
        bundle: "N/\(decomposed).xcdatamodeld")
      let family = try folder.family("N")
      for name in ["A", "X"] {
        let version = try #require(family.version(named: name))
        #expect(try family.target(for: version).name == "\(name) 2")
      }
    }
  }

  @Test func aMappingModelIsForTheVersionsOfItsBytes() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        [(decomposed, note("b")), (composed, note("a")), ("Last", note("c"))], bundle: "N/N.xcdatamodeld")
      for (name, property) in [(composed, "a"), (decomposed, "b")] {
        try folder.writeMapping("N/Step", from: name, to: "Last")
        let family = try folder.family("N")
        let source = try #require(family.mappingModels.first).source
        #expect(family.versions[source].model.attribute(property, of: "Note") != nil)
      }
    }
  }

  @Test func theCurrentVersionIsTheOneOfTheBytesThatAreNamed() throws {
    try CatalogueFolder.with { folder in
      for names in [(composed, decomposed), (decomposed, composed)] {
        try folder.write([(names.0, note("a")), (names.1, note("a"))], bundle: "N/N.xcdatamodeld")
        let family = try folder.family("N")
        #expect(family.versions.map { FileName($0.name) } == [FileName(names.1)])
        #expect(FileName(try family.target().name) == FileName(names.1))
      }
    }
  }

  @Test func settingsMeanTheVersionsOfTheirBytes() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        [(composed, note("a")), (decomposed, note("b")), ("Last", note("c"))], bundle: "N/N.xcdatamodeld")
      let path = [composed, decomposed].map { "[\"\($0)\", \"Last\"]" }.joined(separator: ", ")
      try folder.write(
        "{ path: [\(path)], renames: [{ to: \"\(decomposed)\", properties: { \"Note.a\": \"b\" } }] }",
        to: "N/family.json5")
      let family = try folder.family("N")
      for (name, count) in [(composed, 0), (decomposed, 1)] {
        let version = try #require(family.version(named: name))
        #expect(family.configuration.renames(to: version.allNames).properties.count == count)
      }
    }
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), (composed, note("b"))], bundle: "N/N.xcdatamodeld")
      try folder.write(
        "{ renames: [{ to: \"\(decomposed)\", properties: { \"Note.a\": \"b\" } }] }", to: "N/family.json5")
      let family = try folder.family("N")
      #expect(family.configuration.renames(to: try family.target().allNames).properties.count == 1)
    }
  }

  @Test func modelsOfOneStoreKeepTheirBundles() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a")), ("N 2", note("a", "b"))], bundle: "N/\(composed).xcdatamodeld")
      let (old, new) = (note("x", named: "Place"), note("x", "y", named: "Place"))
      try folder.write([("P 1", old), ("P 2", new)], bundle: "N/\(decomposed).xcdatamodeld")
      try folder.writeMapping("N/One", from: "P 1", to: "P 2")
      let hashes = try ManagedObjectModel(entities: note("a") + old).entityVersionHashes
      guard case .known(var family, let version) = try folder.read().recognise(hashes) else {
        Issue.record("not known")
        return
      }
      let target = try family.mergeTarget(for: version, wanted: nil)
      #expect(Set(target.hashes.keys) == ["Note", "Place"])
      #expect {
        try PathPlan.make(from: version, to: target, in: family)
      } throws: { error in
        if case PlanError.mergedMappingModels = error { true } else { false }
      }
    }
  }

  @Test func onlyTheVersionOfTheBytesLacksAConfiguration() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        note("a"), configurations: [("C", ["Note"])], named: composed, bundle: "N/N.xcdatamodeld")
      try folder.write([(decomposed, note("b"))], bundle: "N/N.xcdatamodeld")
      let part = try #require(try folder.family("N").seen(through: "C").part)
      try part.check(composed, family: "N")
      #expect(throws: FamilyError.self) { try part.check(decomposed, family: "N") }
    }
  }
}
