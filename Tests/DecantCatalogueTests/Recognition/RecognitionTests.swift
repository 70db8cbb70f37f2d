import CatalogueSupport
import DecantModel
import Testing

@testable import DecantCatalogue

@Suite struct RecognitionTests {
  private func hashes(_ entities: [Entity]) throws -> EntityVersionHashes {
    try ManagedObjectModel(entities: entities).entityVersionHashes
  }

  private func withCatalogue<Result>(_ body: (Catalogue) throws -> Result) throws -> Result {
    try CatalogueFolder.with { folder in
      try folder.write(
        [("A", note("a")), ("B", note("b") + note("x", named: "Tag"))], bundle: "Notas/Notas.xcdatamodeld")
      try folder.write([("One", note("a", named: "Foto"))], bundle: "Fotos/Fotos.xcdatamodeld")
      try folder.write([("One", note("a", named: "Foto"))], bundle: "Copia/Fotos.xcdatamodeld")
      try folder.write("x", to: "Torn/README")
      return try body(try folder.read())
    }
  }

  @Test func aKnownVersionIsFound() throws {
    try withCatalogue { catalogue in
      guard case .known(let family, let version) = catalogue.recognise(try hashes(note("a"))) else {
        Issue.record("not known")
        return
      }
      #expect(family.name == "Notas" && version.name == "A")
    }
  }

  @Test func aVersionOfTwoFamiliesIsAmbiguousUnlessOneIsNamed() throws {
    try withCatalogue { catalogue in
      let foto = try hashes(note("a", named: "Foto"))
      guard case .ambiguous(let families) = catalogue.recognise(foto) else {
        Issue.record("not ambiguous")
        return
      }
      #expect(families == ["Copia", "Fotos"])
      guard case .known(let family, _) = catalogue.recognise(foto, family: "Fotos") else {
        Issue.record("not known")
        return
      }
      #expect(family.name == "Fotos")
    }
  }

  @Test func anUnknownStoreGetsTheNearestVersionAndTheBrokenFamilies() throws {
    try withCatalogue { catalogue in
      let store = try hashes(note("c") + note("x", named: "Tag") + note("y", named: "Photo"))
      guard case .unknown(let nearest?, let broken, _) = catalogue.recognise(store) else {
        Issue.record("not unknown")
        return
      }
      #expect(
        nearest.description
          == "version “B” of family “Notas” (changed: “Note”; only in the store: “Photo”)")
      #expect(nearest.missing == [] && nearest.differences == 2)
      #expect(broken.map(\.name) == ["Torn"])
    }
  }

  @Test func aStoreThatSharesNothingHasNoNearestVersion() throws {
    try withCatalogue { catalogue in
      for store in [try hashes(note("a", named: "Alien")), [:]] {
        guard case .unknown(nil, _, _) = catalogue.recognise(store) else {
          Issue.record("not unknown")
          return
        }
      }
    }
  }

  @Test func aNamedFamilyThatIsBrokenOrMissingIsTold() throws {
    try withCatalogue { catalogue in
      guard case .broken(let family) = catalogue.recognise([:], family: "Torn") else {
        Issue.record("not broken")
        return
      }
      #expect(family.name == "Torn")
      guard case .noSuchFamily("Nada", let existing) = catalogue.recognise([:], family: "Nada") else {
        Issue.record("there is one")
        return
      }
      #expect(existing == ["Copia", "Fotos", "Notas", "Torn"])
    }
  }
}
