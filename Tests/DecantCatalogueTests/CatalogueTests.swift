import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

@Suite struct CatalogueTests {
  // MARK: Folders

  @Test func aMissingCatalogueAndAFileAreToldApart() throws {
    try CatalogueFolder.with { folder in
      let missing = folder.url.appendingPathComponent("none")
      #expect(throws: CatalogueError.notFound(path: missing.path)) { try Catalogue.read(at: missing) }
      try folder.write("x", to: "file")
      let file = folder.url.appendingPathComponent("file")
      #expect(throws: CatalogueError.unreadable(path: file.path)) { try Catalogue.read(at: file) }
      #expect(try folder.read().states.isEmpty)
    }
  }

  @Test func eachFolderIsAFamilyAndHiddenOrLooseThingsAreNot() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.write([("B", note("b"))], bundle: "Fotos/Fotos.xcdatamodeld")
      try folder.write("x", to: ".git/config")
      try folder.write("x", to: "README.md")
      let catalogue = try folder.read()
      #expect(catalogue.families.map(\.name) == ["Fotos", "Notas"])
      #expect(catalogue.brokenFamilies.isEmpty)
    }
  }

  @Test(arguments: ["", "Notas.xcdatamodeld"])
  func aFolderOfModelsOrABundleIsACatalogueOfOneFamily(path: String) throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Notas.xcdatamodeld")
      let url = path.isEmpty ? folder.url : folder.url.appendingPathComponent(path)
      let family = try #require(try Catalogue.read(at: url).families.first)
      #expect(family.versions.map(\.name) == ["A", "B"])
      #expect(family.name == (path.isEmpty ? folder.url.lastPathComponent : "Notas"))
    }
  }

  @Test(
    "a folder that is a family has its whole name, also with a dot; a compiled model without a .mom makes it a family"
  )
  func wholeName() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "My.App/Notas.xcdatamodeld")
      try folder.write("x", to: "Old.App/Old.omo")
      for name in ["My.App", "Old.App"] {
        #expect(try Catalogue.read(at: folder.url.appendingPathComponent(name)).states.map(\.name) == [name])
      }
    }
  }

  @Test func onlyTheFamilyThatIsAskedForIsRead() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.write("x", to: "Hollow/Notas.xcdatamodeld/README")
      let catalogue = try Catalogue.read(at: folder.url, family: "Notas")
      #expect(catalogue.states.map(\.name) == ["Notas"] && catalogue.names == ["Hollow", "Notas"])
      let hashes = try ManagedObjectModel(entities: note("a")).entityVersionHashes
      guard case .known = catalogue.recognise(hashes, family: "Notas") else {
        Issue.record("not known")
        return
      }
      let none = try Catalogue.read(at: folder.url, family: "Cartas")
      guard
        case .noSuchFamily("Cartas", existing: ["Hollow", "Notas"]) = none.recognise(hashes, family: "Cartas")
      else {
        Issue.record("found")
        return
      }
      let bundle = folder.url.appendingPathComponent("Notas/Notas.xcdatamodeld")
      #expect(try Catalogue.read(at: bundle, family: "Notas").families.count == 1)
      #expect(try Catalogue.read(at: bundle, family: "Cartas").states.isEmpty)
    }
  }

  @Test func linkedModelsAreFollowed() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "elsewhere/Notas.xcdatamodeld")
      try CatalogueFolder.with { other in
        try FileManager.default.createSymbolicLink(
          at: other.url.appendingPathComponent("Notas"),
          withDestinationURL: folder.url.appendingPathComponent("elsewhere"))
        #expect(try other.family("Notas").versions.map(\.name) == ["A"])
      }
    }
  }

  // MARK: Broken families

  @Test func aBrokenFamilyLeavesTheOthersAlone() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Good/Notas.xcdatamodeld")
      try folder.write("x", to: "Empty/README")
      try folder.write("x", to: "Hollow/Notas.xcdatamodeld/README")
      try folder.write("x", to: "Compiled/Notas.momd/Notas.mom")
      try folder.write("<model", to: "Torn/Notas.xcdatamodel/contents")
      try folder.write(
        CatalogueFolder.contents([
          Entity(name: "Note", relationships: [Relationship(name: "tag", destinationEntityName: "Tag")])
        ]), to: "Dangling/Notas.xcdatamodel/contents")
      try folder.write([("A", note("a"))], bundle: "Mapping/Notas.xcdatamodeld")
      try folder.write("{", to: "Mapping/One.mapping.json5")
      #expect(try folder.read().families.map(\.name) == ["Good"])
      #expect(
        try folder.fault("Empty")
          == "Empty holds no model (*.xcdatamodeld, *.xcdatamodel, *.momd, *.mom, or a store in reference/ that keeps "
          + "its own model); copy the family's models there, or remove the folder")
      #expect(
        try folder.fault("Compiled")
          == "Compiled/Notas.momd/Notas.mom: not a Core Data model: it isn't a keyed archive in binary form, as Xcode's "
          + "model compiler writes")
      #expect(
        try folder.fault("Hollow")
          == "Hollow/Notas.xcdatamodeld: the folder holds no model version (*.xcdatamodel or *.mom); copy the whole "
          + ".xcdatamodeld or .momd")
      #expect(
        try folder.fault("Dangling")?.contains(
          "relationship “tag” leads to entity “Tag”, which the model doesn't have")
          == true)
      #expect(try folder.fault("Torn")?.hasPrefix("Torn/Notas.xcdatamodel: line 1:") == true)
      #expect(
        try folder.fault("Mapping")
          == "Mapping/One.mapping.json5 is not a readable mapping model: it is not JSON5: line 1, "
          + "column 2: a key or “}” is missing; there is the end of the text")
    }
  }

  // MARK: Versions

  @Test func versionsWithEqualHashesAreOneUnderSeveralNames() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        [("Model", note("a")), ("Model 2", note("a")), ("Model 10", note("b"))],
        bundle: "Notas/Notas.xcdatamodeld")
      let family = try folder.family("Notas")
      #expect(family.versions.map(\.names) == [["Model", "Model 2"], ["Model 10"]])
      #expect(family.versions[0].name == "Model 2")
      #expect(family.version(named: "Model")?.name == "Model")
      #expect(family.version(named: "Model.xcdatamodel")?.index == 0)
      #expect(family.version(named: "Notas#Model 10")?.index == 1)
      #expect(family.version(named: "Model 3") == nil)
    }
  }

  @Test func theModelIsThatOfTheNameAskedFor() throws {
    try CatalogueFolder.with { folder in
      var (plain, defaulted) = (note("a"), note("a"))
      plain[0].attributes[0].renamingIdentifier = "x"
      defaulted[0].attributes[0].renamingIdentifier = "y"
      try folder.write([("One", plain), ("Two", defaulted)], bundle: "Notas/Notas.xcdatamodeld")
      let family = try folder.family("Notas")
      let identifiers = ["One", "Two"].map {
        family.version(named: $0)?.model.entities[0].attributes[0].renamingIdentifier
      }
      #expect(identifiers == ["x", "y"])
    }
  }

  @Test func namesThatBundlesShareAreQualified() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("Model", note("a")), ("Only", note("c"))], bundle: "Notas/One.xcdatamodeld")
      try folder.write([("Model", note("b"))], bundle: "Notas/Two.xcdatamodeld")
      let family = try folder.family("Notas")
      #expect(family.versions.map(\.name) == ["One#Model", "Only", "Two#Model"])
      #expect(family.version(named: "Model") == nil)
      #expect(family.version(named: "One#Only")?.name == "Only")
    }
  }

  // MARK: Target

  @Test func theTargetIsTheStatedOneOrTheCurrentOne() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Notas/Notas.xcdatamodeld")
      #expect(try folder.family("Notas").target().name == "B")
      try folder.write("{ target: \"A\" }", to: "Notas/family.json5")
      #expect(try folder.family("Notas").target().name == "A")
    }
  }

  @Test func aFamilyOfSeveralBundlesNeedsAStatedTarget() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Notas/One.xcdatamodeld")
      try folder.write([("B", note("b"))], bundle: "Notas/Two.xcdatamodeld")
      let family = try folder.family("Notas")
      let error = #expect(throws: FamilyError.self) { try family.target() }
      #expect(
        error?.description.replacingOccurrences(of: folder.url.path + "/", with: "")
          == "family “Notas” doesn't say which version is the newest; set “target” in Notas/family.json5 to one of: A, B"
      )
      try folder.write("{ target: \"Two#B\" }", to: "Notas/family.json5")
      #expect(try folder.family("Notas").target().name == "B")
    }
  }

  @Test func referenceStoresAreListedWithoutTheirSiblings() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Notas/Notas.xcdatamodeld")
      for name in ["b.sqlite", "b.sqlite-wal", "b.sqlite-shm", "a.store", ".hidden", "sub/c.sqlite"] {
        try folder.write("x", to: "Notas/reference/\(name)")
      }
      #expect(try folder.family("Notas").referenceStores.map(\.lastPathComponent) == ["a.store", "b.sqlite"])
    }
  }
}
