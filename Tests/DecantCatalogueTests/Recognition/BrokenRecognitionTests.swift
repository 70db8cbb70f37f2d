import CatalogueSupport
import DecantModel
import Foundation
import Glibc
import Testing

@testable import DecantCatalogue

/// The stores of a broken family are recognised if its models can be read.
@Suite("Recognition beside broken families") struct BrokenRecognitionTests {
  private func hashes(_ entities: [Entity]) throws -> EntityVersionHashes {
    try ManagedObjectModel(entities: entities).entityVersionHashes
  }

  private func check(
    _ catalogue: Catalogue, _ entities: [Entity], family: String? = nil, _ expected: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let found = words(catalogue.recognise(try hashes(entities), family: family))
    #expect(found == expected, sourceLocation: location)
  }

  private func words(_ recognition: Recognition) -> String {
    switch recognition {
    case .known(let family, let version):
      "\(family.name): \(version.name)" + (family.warnings.isEmpty ? "" : ", warned")
    case .ownModel(let family, _, _): "\(family.name): own model"
    case .ambiguous(let families): "ambiguous: \(families)"
    case .ambiguousBroken(let families, let broken): "ambiguous: \(families), broken: \(broken.map(\.name))"
    case .unusable(let family, _, _): "\(family): unusable"
    case .unknown(_, let broken, let finding): "unknown, broken: \(broken.map(\.name)), \(finding)"
    case .broken(let family): "broken: \(family.name)"
    case .noSuchFamily: "no family"
    }
  }

  /// Faults of the family “Rota”: the faulty file's path in the family's folder, and its text.
  static let slips = [
    ["family.json5": "{ dataLos: \"refuse\" }"], ["family.json5": "{ not JSON5"],
    ["family.json5": "{ target: \"Z\" }"], ["Step.mapping.json5": "{"],
    ["Step.mapping.json5": "{ source: \"Old\", destination: \"X\" }"],
  ]

  /// Calls the body with a catalogue of two families: “Sana” with A and B, and “Rota” with A, C and a fault.
  private func catalogue(_ slip: [String: String], _ body: (CatalogueFolder, Catalogue) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Sana/Sana.xcdatamodeld")
      try folder.write([("A", note("a")), ("C", note("c"))], bundle: "Rota/Rota.xcdatamodeld")
      for (name, text) in slip { try folder.write(text, to: "Rota/\(name)") }
      try body(folder, try folder.read())
    }
  }

  @Test(arguments: slips)
  func aStoreOfABrokenFamilyGoesToNoOther(slip: [String: String]) throws {
    try catalogue(slip) { _, catalogue in
      #expect(catalogue.brokenFamilies.map(\.name) == ["Rota"])
      try check(catalogue, note("a"), "ambiguous: [\"Rota\", \"Sana\"], broken: [\"Rota\"]")
      try check(catalogue, note("c"), "broken: Rota")
      try check(catalogue, note("b"), "Sana: B")
      try check(catalogue, note("a"), family: "Sana", "Sana: A")
      try check(catalogue, note("a"), family: "Rota", "broken: Rota")
    }
  }

  /// A fault within an entity mapping doesn't break the family, but is reported if two families fit the store.
  @Test(
    arguments: [
      "{ nam: 1 }", "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.a +\" } }",
    ])
  func aSlipWithinAMappingModelIsToldWhereTwoFamiliesFit(mapping: String) throws {
    let text = "{ source: \"A\", destination: \"C\", entityMappings: [\(mapping)] }"
    try catalogue(["Step.mapping.json5": text]) { folder, catalogue in
      #expect(catalogue.brokenFamilies.isEmpty)
      try check(catalogue, note("a"), "ambiguous: [\"Rota\", \"Sana\"], broken: [\"Rota\"]")
      try check(catalogue, note("a"), family: "Sana", "Sana: A")
      try check(catalogue, note("c"), "Rota: C")
      guard case .ambiguousBroken(_, let broken) = catalogue.recognise(try hashes(note("a"))) else { return }
      #expect(broken[0].sentences.first?.contains("/Rota/Step.mapping.json5") == true, "\(broken[0].sentences)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Rota/Step.mapping.json5"))
      try check(folder.read(), note("a"), "ambiguous: [\"Rota\", \"Sana\"]")
    }
  }

  /// Recognition needs to know for each store of such families whether the mapping models can be read.
  @Test func theMappingModelsOfAmbiguousFamiliesAreReadOnceWhileNothingChanges() throws {
    let text =
      "{ source: \"A\", destination: \"C\", entityMappings: [{ source: \"Note\", destination: \"Note\" }] }"
    try catalogue(["Step.mapping.json5": text]) { folder, _ in
      let shelf = CatalogueShelf { Int(Date().timeIntervalSince1970) + 60 }
      let file = folder.url.appendingPathComponent("Rota/Step.mapping.json5")
      func recognise(failing: Bool) throws -> (String, hasRead: Bool) {
        let catalogue = try shelf.catalogue(at: folder.url)
        let plan = DiskFaultPlan(at: file.path, failAt: failing ? 1 : 1000, isPersistent: true, code: EIO)
        let found = try plan.arming { words(catalogue.recognise(try hashes(note("a")))) }
        return (found, plan.hasFailed)
      }
      let both = "ambiguous: [\"Rota\", \"Sana\"]"
      // A failed read isn't remembered.
      #expect(try recognise(failing: true) == (both + ", broken: [\"Rota\"]", true))
      #expect(try recognise(failing: false) == (both, false))
      #expect(try recognise(failing: true) == (both, false))
      try folder.write(
        text.replacingOccurrences(of: "source: \"Note\"", with: "nam: 1"), to: "Rota/Step.mapping.json5")
      #expect(try recognise(failing: false) == (both + ", broken: [\"Rota\"]", false))
    }
  }

  @Test func aFolderOfReferenceStoresThatCannotBeListedBreaksTheFamily() throws {
    try catalogue([:]) { folder, _ in
      let place = folder.url.appendingPathComponent("Rota/reference")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      #expect(try folder.read().brokenFamilies.isEmpty)
      let plan = DiskFaultPlan(at: place.path, failAt: 1, isPersistent: true, code: EACCES)
      let broken = try plan.arming { try folder.read().brokenFamilies }
      #expect(broken.map(\.name) == ["Rota"])
      #expect(broken.first?.sentences.first?.contains(place.path) == true)
    }
  }

  @Test func aShelfKnowsTheStoresOfABrokenFamilyToo() throws {
    try catalogue(Self.slips[0]) { folder, _ in
      let shelf = CatalogueShelf()
      for _ in 0..<2 {
        let catalogue = try shelf.catalogue(at: folder.url)
        try check(catalogue, note("c"), "broken: Rota")
        try check(catalogue, note("b"), "Sana: B")
      }
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Rota/family.json5"))
      try check(shelf.catalogue(at: folder.url), note("c"), "Rota: C")
    }
  }

  @Test func configurationsOfABrokenFamilyCountLikeThoseOfASoundOne() throws {
    try CatalogueFolder.with { folder in
      let entities = note("a") + note("x", named: "Tag")
      for family in ["Sana", "Rota"] {
        try folder.write(
          entities, configurations: [("Cloud", ["Note"]), ("Mirror", ["Note"])], named: "A",
          bundle: "\(family)/N.xcdatamodeld")
      }
      // The unreadable text would choose between the two configurations.
      try folder.write("{ configuration: \"Cloud\"", to: "Rota/family.json5")
      try check(folder.read(), note("a"), "ambiguous: [\"Rota\", \"Sana\"], broken: [\"Rota\"]")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Sana"))
      try check(folder.read(), note("a"), "broken: Rota")
      // A whole version is preferred to a configuration, as in families without faults.
      try folder.write([("Whole", note("a"))], bundle: "Entera/N.xcdatamodeld")
      try check(folder.read(), note("a"), "Entera: Whole")
    }
  }

  @Test func aFamilyOfWhichOneModelIsTornStillKnowsTheOthers() throws {
    try catalogue(["Rota.xcdatamodeld/D.xcdatamodel/contents": "<model"]) { _, catalogue in
      try check(catalogue, note("c"), "broken: Rota")
      // The unreadable D may be the same version as B.
      try check(catalogue, note("b"), "Sana: B, warned")
      try check(catalogue, note("b"), family: "Sana", "Sana: B")
      let warnings = try warnings(catalogue, note("b"))
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("“Rota” of the catalogue was ignored, because not all") == true)
      #expect(warnings.first?.contains("D.xcdatamodel") == true, "\(warnings)")
      // A store of another version is unknown, even if its own model is similar to B.
      let model = try ManagedObjectModel(entities: note("b", "x"))
      let found = catalogue.recognise(model.entityVersionHashes) { .model(model) }
      #expect(words(found) == "unknown, broken: [\"Rota\"], absent")
    }
    // If all models can be read, faults in other files don't matter.
    try catalogue(["Rota.xcdatamodeld/.xccurrentversion": "<plist"]) { _, catalogue in
      #expect(catalogue.brokenFamilies.map(\.knowsAllItsStores) == [true])
      try check(catalogue, note("b"), "Sana: B")
    }
  }

  @Test func aTornModelBesideASoundOneIsNamedToo() throws {
    try catalogue(["Otro.xcdatamodel/contents": "<model"]) { _, catalogue in
      try check(catalogue, note("c"), "broken: Rota")
      #expect(try warnings(catalogue, note("b")).first?.contains("Otro.xcdatamodel") == true)
    }
  }

  private func warnings(_ catalogue: Catalogue, _ entities: [Entity]) throws -> [String] {
    guard case .known(let family, _) = catalogue.recognise(try hashes(entities)) else { return [] }
    return family.warnings
  }

  @Test func aFamilyWithoutAnyReadableModelIsNamedAsAWarning() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a"))], bundle: "Sana/Sana.xcdatamodeld")
      try folder.write("<model", to: "Rota/Rota.xcdatamodeld/A.xcdatamodel/contents")
      let catalogue = try folder.read()
      guard case .known(let family, _) = catalogue.recognise(try hashes(note("a"))) else {
        Issue.record("not known")
        return
      }
      #expect(family.warnings.count == 1)
      #expect(family.warnings.first?.contains("The family “Rota” of the catalogue was ignored") == true)
      try check(catalogue, note("a"), family: "Sana", "Sana: A")
      try check(catalogue, note("z"), "unknown, broken: [\"Rota\"], absent")
    }
  }

  @Test func anUnknownStoreWaitsForTheBrokenFamilyThatItIsLike() throws {
    try catalogue(Self.slips[0]) { folder, _ in
      try folder.write(
        [("F", note("a", "b", "c", named: "Foto"))], bundle: "Fotos/Fotos.xcdatamodeld")
      let catalogue = try folder.read()
      func own(_ entities: [Entity], _ expected: String) throws {
        let model = try ManagedObjectModel(entities: entities)
        let found = words(catalogue.recognise(model.entityVersionHashes) { .model(model) })
        #expect(found == expected)
      }
      // The store has an entity of the same name as Rota and Sana, but is similar to neither.
      try own(note("q", "r", "s"), "unknown, broken: [\"Rota\"], noFamily")
      // The store is similar to the only family with its entities, and that family has no fault.
      try own(note("a", "b", "d", named: "Foto"), "Fotos: own model")
      try own(note("z", named: "Otra"), "unknown, broken: [], noFamily")
    }
    try CatalogueFolder.with { folder in
      try folder.write([("C", note("c", "d", "e"))], bundle: "Rota/Rota.xcdatamodeld")
      try folder.write("{ x: 1 }", to: "Rota/family.json5")
      let model = try ManagedObjectModel(entities: note("c", "d", "f"))
      let found = try folder.read().recognise(model.entityVersionHashes) { .model(model) }
      #expect(words(found) == "broken: Rota")
    }
  }
}
