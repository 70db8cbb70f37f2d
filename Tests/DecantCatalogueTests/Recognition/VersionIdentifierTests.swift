import CatalogueSupport
import DecantModel
import Testing

@testable import DecantCatalogue

@Suite("Names of one version, told apart by the store's version identifiers") struct VersionIdentifierTests {
  private func family(_ identifiers: [String?], _ body: (Catalogue) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      for (index, identifier) in identifiers.enumerated() {
        let attribute = identifier.map { " userDefinedModelVersionIdentifier=\"\($0)\"" } ?? ""
        try folder.write(
          CatalogueFolder.contents(note("a")).replacing(
            "documentVersion", with: "\(attribute) documentVersion"),
          to: "Notas/N.xcdatamodeld/M \(index + 1).xcdatamodel/contents")
      }
      try folder.writeCurrent("M \(identifiers.count)", bundle: "Notas/N.xcdatamodeld")
      try body(try folder.read())
    }
  }

  private func check(_ catalogue: Catalogue, _ identifiers: [String], _ expected: String) throws {
    let hashes = try ManagedObjectModel(entities: note("a")).entityVersionHashes
    guard case .known(_, let version) = catalogue.recognise(hashes, identifiers: identifiers) else {
      Issue.record("not known")
      return
    }
    #expect(version.name == expected, "\(identifiers)")
  }

  @Test func theStoresOwnIdentifierSaysWhichNameIsMeant() throws {
    try family(["1.0", "1.1", nil]) { catalogue in
      try check(catalogue, ["1.0"], "M 1")
      try check(catalogue, ["1.1"], "M 2")
      try check(catalogue, ["", "1.1"], "M 2")
    }
  }

  @Test func withoutAnIdentifierThatOneModelHasTheCurrentNameStays() throws {
    try family(["1.0", "1.0", "2.0"]) { catalogue in
      for identifiers in [[], [""], ["1.0"], ["9"], ["1.0", "2.0"]] {
        try check(catalogue, identifiers, "M 3")
      }
    }
  }
}
