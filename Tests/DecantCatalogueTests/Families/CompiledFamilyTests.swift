import CatalogueSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

@testable import DecantCatalogue

/// Families that have only compiled models or reference stores.
@Suite struct CompiledFamilyTests {
  private func model(_ attribute: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Entity(name: "Note", attributes: [Attribute(name: attribute, type: .string)])
    ])
  }

  private func write(_ data: Data, to path: String, in folder: CatalogueFolder) throws {
    try folder.write("", to: path)
    try data.write(to: folder.url.appendingPathComponent(path))
  }

  @Test func aCompiledBundleIsAFamily() throws {
    try CatalogueFolder.with { folder in
      try write(CompiledModelWriter.data(model("a")), to: "Notas/Notas.momd/Notas.mom", in: folder)
      try write(CompiledModelWriter.data(model("b")), to: "Notas/Notas.momd/Notas 2.mom", in: folder)
      let info = PropertyList.dictionary(["NSManagedObjectModel_CurrentVersionName": .string("Notas 2")])
      try write(info.binaryData(), to: "Notas/Notas.momd/VersionInfo.plist", in: folder)
      let family = try folder.family("Notas")
      #expect(family.versions.map(\.name) == ["Notas", "Notas 2"])
      #expect(try family.target().name == "Notas 2")
      #expect(family.version(with: try model("a").entityVersionHashes)?.name == "Notas")
      let alone = try Catalogue.read(at: folder.url.appendingPathComponent("Notas/Notas.momd"))
      #expect(alone.families.map(\.name) == ["Notas"])
    }
  }

  @Test func singleCompiledModelsAreAFamilyThatNeedsATarget() throws {
    try CatalogueFolder.with { folder in
      try write(CompiledModelWriter.data(model("a")), to: "Notas/One.mom", in: folder)
      try write(CompiledModelWriter.data(model("b")), to: "Notas/Two.mom", in: folder)
      try folder.write("momv2$", to: "Notas/Two.omo")
      #expect(throws: FamilyError.self) { try folder.family("Notas").target() }
      try folder.write("{ target: \"Two\" }", to: "Notas/family.json5")
      #expect(try folder.family("Notas").target().name == "Two")
    }
  }

  @Test func aSingleModelDoesNotSpeakForItsStoresBesideOthersOfItsEntities() throws {
    try CatalogueFolder.with { folder in
      try write(CompiledModelWriter.data(model("a")), to: "Notas/One.mom", in: folder)
      try write(CompiledModelWriter.data(model("b")), to: "Notas/Two.mom", in: folder)
      try write(CompiledModelWriter.data(model("b")), to: "Notas/Two copy.mom", in: folder)
      func expectNoTarget(_ versions: [String]) throws {
        let family = try folder.family("Notas")
        for version in family.versions {
          let error = #expect(throws: FamilyError.self) { try family.target(for: version) }
          guard case .noTarget(_, _, let listed, let missing)? = error else {
            Issue.record("\(String(describing: error))")
            continue
          }
          #expect(listed == versions && missing.isEmpty)
        }
      }
      try expectNoTarget(["One", "Two"])
      try folder.write("{ target: \"Two\" }", to: "Notas/family.json5")
      let family = try folder.family("Notas")
      for version in family.versions { #expect(try family.target(for: version).names.contains("Two")) }
    }
  }

  @Test func aSingleModelSpeaksForItsStoresWhereNoOtherHasItsEntities() throws {
    try CatalogueFolder.with { folder in
      let place = try ManagedObjectModel(entities: note("name", named: "Place"))
      try write(CompiledModelWriter.data(model("a")), to: "Notas/Notes.mom", in: folder)
      try write(CompiledModelWriter.data(place), to: "Notas/Places.mom", in: folder)
      let family = try folder.family("Notas")
      for version in family.versions { #expect(try family.target(for: version).index == version.index) }
    }
  }

  @Test func aBundleThatNamesItsCurrentVersionSpeaksForTheSameVersionInASingleFile() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Notas/N.xcdatamodeld")
      try folder.write(CatalogueFolder.contents(note("a")), to: "Notas/Old.xcdatamodel/contents")
      try folder.write(CatalogueFolder.contents(note("c")), to: "Notas/Older.xcdatamodel/contents")
      let family = try folder.family("Notas")
      let old = try #require(family.version(named: "Old"))
      #expect(try family.target(for: old).name == "B")
      let older = try #require(family.version(named: "Older"))
      #expect(throws: FamilyError.self) { try family.target(for: older) }
    }
  }

  @Test func aCurrentVersionWhoseFileIsMissingIsNamed() throws {
    try CatalogueFolder.with { folder in
      try write(CompiledModelWriter.data(model("a")), to: "Notas/Notas.momd/A.mom", in: folder)
      try write(CompiledModelWriter.data(model("b")), to: "Notas/Notas.momd/B.mom", in: folder)
      let info = PropertyList.dictionary(["NSManagedObjectModel_CurrentVersionName": .string("C")])
      try write(info.binaryData(), to: "Notas/Notas.momd/VersionInfo.plist", in: folder)
      let error = #expect(throws: FamilyError.self) { try folder.family("Notas").target() }
      let text = "VersionInfo.plist of Notas.momd names “C” as the current one, but C.mom is missing"
      #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    }
  }

  @Test func compiledModelsBesideSourcesArePassedOver() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", model("a").entities)], bundle: "Notas/Notas.xcdatamodeld")
      try folder.write("x", to: "Notas/Notas.momd/Notas.mom")
      let family = try folder.family("Notas")
      #expect(family.versions.map(\.name) == ["A"])
      #expect(try family.target().name == "A")
    }
  }

  @Test func anOptimisedModelAloneIsRefused() throws {
    try CatalogueFolder.with { folder in
      try folder.write("momv2$", to: "Notas/Notas.omo")
      try folder.write("momv2$", to: "Other/Other.momd/Other.omo")
      for name in ["Notas", "Other"] {
        #expect(try folder.fault(name)?.contains("optimised models only") == true)
      }
    }
  }

  @Test func referenceStoresAloneGiveTheModelsThatTheyKeep() throws {
    try CatalogueFolder.with { folder in
      try folder.write("", to: "Notas/reference/.keep")
      for (name, attribute) in [("Old", "a"), ("New", "b"), ("Bare", "c")] {
        let path = folder.url.appendingPathComponent("Notas/reference/\(name).sqlite").path
        let database = try SQLiteDatabase(path, mode: .create)
        for statement in try CachingStore.statements(model(attribute)) { try database.execute(statement) }
        if name == "Bare" { try database.execute("DELETE FROM Z_MODELCACHE") }
      }
      try folder.write("no store", to: "Notas/reference/Torn.sqlite")
      try folder.write("{ target: \"New\" }", to: "Notas/family.json5")
      let family = try folder.family("Notas")
      #expect(Set(family.versions.map(\.name)) == ["Old", "New"])
      #expect(try family.target().name == "New")
      #expect(family.warnings.count == 2)
      #expect(
        family.warnings.contains { $0.contains("Bare.sqlite: the reference store doesn't keep its own model") })
    }
  }

  @Test func referenceStoresThatKeepNoModelAreNoFamily() throws {
    try CatalogueFolder.with { folder in
      try folder.write("no store", to: "Notas/reference/Torn.sqlite")
      #expect(try folder.fault("Notas")?.contains("Torn.sqlite") == true)
    }
  }
}
