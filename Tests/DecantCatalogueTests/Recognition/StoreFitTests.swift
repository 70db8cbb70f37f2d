import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantCatalogue

/// Stores of one configuration, and of merged models.
@Suite("Recognition of configurations and merges") struct StoreFitTests {
  private func hashes(_ entities: [Entity]) throws -> EntityVersionHashes {
    try ManagedObjectModel(entities: entities).entityVersionHashes
  }

  /// A short text for a result: `FAMILY: VERSION, ORIGIN` for a known version.
  private func words(_ recognition: Recognition) -> String {
    switch recognition {
    case .known(let family, let version):
      "\(family.name): \(version.names.joined(separator: "; ")), \(version.origin)"
    case .ownModel(let family, let version, _): "\(family.name): \(version.name)"
    case .ambiguous(let families): "ambiguous: \(families)"
    case .unusable(let family, let reason, let advice): "\(family): \(reason) \(advice)"
    case .unknown(let nearest, _, let finding): "unknown, \(nearest?.version ?? "nothing near"), \(finding)"
    case .ambiguousBroken(let families, let broken): "ambiguous: \(families), broken: \(broken.map(\.name))"
    case .broken, .noSuchFamily: "no family"
    }
  }

  private let tag = note("name", named: "Tag")
  private let place = note("name", named: "Place")

  /// Calls the body with the family Notas: version A has Note.a and Tag, and B has Note.b and Tag.
  ///
  /// Both have the configurations Cloud with Note and Local with Tag. B also has those of `more`.
  private func configured(
    _ settings: String? = nil, more: [(String, [String])] = [], _ body: (Catalogue) throws -> Void
  ) throws {
    try CatalogueFolder.with { folder in
      let configurations = [("Cloud", ["Note"]), ("Local", ["Tag"])]
      try folder.write(
        note("a") + tag, configurations: configurations, named: "A", bundle: "Notas/N.xcdatamodeld")
      try folder.write(
        note("b") + tag, configurations: configurations + more, named: "B", bundle: "Notas/N.xcdatamodeld")
      try folder.writeCurrent("B", bundle: "Notas/N.xcdatamodeld")
      if let settings { try folder.write(settings, to: "Notas/family.json5") }
      try body(folder.read())
    }
  }

  @Test func theMembersOfAConfigurationAreThatConfiguration() throws {
    try configured { catalogue in
      #expect(
        words(catalogue.recognise(try hashes(note("a"))))
          == "Notas: A, configuration Cloud, configuration(\"Cloud\")")
      // Tag is the same in A and B. So Local is one version under two names, and the current version's is shown.
      guard case .known(let family, let version) = catalogue.recognise(try hashes(tag)) else {
        Issue.record("not known")
        return
      }
      #expect(version.name == "B, configuration Local" && version.names.count == 2)
      #expect(try family.target(for: version).index == version.index)
      #expect(family.version(named: "A")?.index == version.index)
    }
  }

  @Test func theTargetOfAConfigurationIsTheSameConfigurationThere() throws {
    try configured { catalogue in
      guard case .known(let family, let version) = catalogue.recognise(try hashes(note("a"))) else {
        Issue.record("not known")
        return
      }
      let target = try family.target(for: version)
      #expect(target.name == "B, configuration Cloud")
      let plan = try PathPlan.make(from: version, to: target, in: family)
      #expect(plan.steps.count == 1 && plan.steps[0].destination.model.entities.map(\.name) == ["Note"])
    }
  }

  @Test func aWholeVersionCountsBeforeAConfiguration() throws {
    try CatalogueFolder.with { folder in
      let bundle = "Notas/N.xcdatamodeld"
      try folder.write(note("a"), configurations: [], named: "A", bundle: bundle)
      try folder.write(note("a") + tag, configurations: [("Cloud", ["Note"])], named: "B", bundle: bundle)
      try folder.writeCurrent("B", bundle: bundle)
      #expect(words(try folder.read().recognise(hashes(note("a")))) == "Notas: A, catalogue")
    }
  }

  @Test func aConfigurationThatIsNoModelByItselfIsRefusedByName() throws {
    try CatalogueFolder.with { folder in
      var entities = note("a") + tag
      entities[0].relationships = [Relationship(name: "tag", destinationEntityName: "Tag", isOptional: true)]
      let bundle = "Notas/N.xcdatamodeld"
      try folder.write(entities, configurations: [("Cloud", ["Note"])], named: "A", bundle: bundle)
      let all = try hashes(entities)
      let text = words(try folder.read().recognise(all.filter { $0.key == "Note" }))
      #expect(
        text.contains("It fits the configuration “Cloud” of family “Notas”, but its configuration"), "\(text)")
      #expect(text.contains("relationship “tag” leads to entity “Tag”"), "\(text)")
    }
  }

  @Test func severalConfigurationsWithTheMembersAreRefusedUnlessTheSettingsSayWhich() throws {
    // In B, the configuration Also has the same member as Cloud. A has no configuration of that name.
    let more = [("Also", ["Note"])]
    try configured(more: more) { catalogue in
      let text = words(catalogue.recognise(try hashes(note("b"))))
      #expect(text.contains("It fits several configurations of family “Notas”"), "\(text)")
      #expect(text.contains("“Also”, “Cloud”") && text.contains("“configuration” in family.json5"), "\(text)")
    }
    try configured("{ configuration: \"Cloud\" }", more: more) { catalogue in
      let text = words(catalogue.recognise(try hashes(note("b"))))
      #expect(text.hasPrefix("Notas: B, configuration Cloud,"))
    }
  }

  @Test func configurationsThatAreEqualEverywhereAreOne() throws {
    try CatalogueFolder.with { folder in
      let same = [("Cloud", ["Note"]), ("Also", ["Note"])]
      for (name, attribute) in [("A", "a"), ("B", "b")] {
        try folder.write(
          note(attribute) + tag, configurations: same, named: name, bundle: "Notas/N.xcdatamodeld")
      }
      try folder.writeCurrent("B", bundle: "Notas/N.xcdatamodeld")
      let text = words(try folder.read().recognise(hashes(note("a"))))
      #expect(text.hasPrefix("Notas: A, configuration Also,"))
    }
  }

  @Test func aTargetWithoutTheConfigurationIsNamed() throws {
    try CatalogueFolder.with { folder in
      let bundle = "Notas/N.xcdatamodeld"
      try folder.write(note("a") + tag, configurations: [("Cloud", ["Note"])], named: "A", bundle: bundle)
      try folder.write(note("b") + tag, configurations: [], named: "B", bundle: bundle)
      try folder.writeCurrent("B", bundle: bundle)
      guard case .known(let family, let version) = try folder.read().recognise(hashes(note("a"))) else {
        Issue.record("not known")
        return
      }
      let error = #expect(throws: FamilyError.self) { try family.target(for: version) }
      #expect(
        error?.description == "family “Notas”, version “B”: it has no configuration “Cloud”", "\(error as Any)")
    }
  }

  @Test func aMappingModelIsNotBypassedByAConfiguration() throws {
    try CatalogueFolder.with { folder in
      let bundle = "Notas/N.xcdatamodeld"
      let cloud = [("Cloud", ["Note"])]
      try folder.write(note("a") + tag, configurations: cloud, named: "A", bundle: bundle)
      try folder.write(note("b") + tag, configurations: cloud, named: "B", bundle: bundle)
      try folder.write(note("b") + place, configurations: cloud, named: "C", bundle: bundle)
      try folder.write(note("d") + tag, configurations: [], named: "D", bundle: bundle)
      try folder.writeCurrent("C", bundle: bundle)
      try folder.writeMapping("Notas/One", from: "A", to: "B")
      func plan() throws -> String {
        guard case .known(let family, let version) = try folder.read().recognise(hashes(note("a"))) else {
          return "not known"
        }
        do {
          let plan = try PathPlan.make(from: version, to: try family.target(for: version), in: family)
          return plan.mappingModelFiles.map(\.name).joined(separator: ", ")
        } catch let error as PlanError {
          return error.message
        }
      }
      #expect(try plan() == "One")
      // The entities of the configuration are the same in B and C: Two isn't needed.
      try folder.writeMapping("Notas/Two", from: "B", to: "C")
      #expect(try plan() == "One")
      try folder.writeMapping("Notas/Three", from: "C", to: "D")
      #expect(try plan().contains("would bypass “Three”"))
    }
  }

  // MARK: Merges

  /// Calls the body with a folder of the family Notas, which has the bundles N and P.
  ///
  /// `N 1` has Note.a, and `N 2` has Note.b. `P 1` has Place and Tag, and `P 2` has Place and Tag.b.
  private func merged(_ body: (CatalogueFolder) throws -> Void) throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a")), ("N 2", note("b"))], bundle: "Notas/N.xcdatamodeld")
      try folder.write(
        [("P 1", place + tag), ("P 2", place + note("name", "b", named: "Tag"))], bundle: "Notas/P.xcdatamodeld"
      )
      try body(folder)
    }
  }

  @Test func theUnionOfVersionsOfTwoBundlesIsTheirMerge() throws {
    try merged { folder in
      let store = try hashes(note("a") + place + tag)
      guard case .known(var family, let version) = try folder.read().recognise(store) else {
        Issue.record("not known")
        return
      }
      #expect(version.name == "N 1 + P 1" && version.origin == .merge(["N 1", "P 1"]))
      let target = try family.mergeTarget(for: version, wanted: nil)
      #expect(target.name == "N 2 + P 2")
      let plan = try PathPlan.make(from: version, to: target, in: family)
      #expect(plan.steps.count == 1)
      let named = try family.mergeTarget(for: version, wanted: "N 2 + P 1")
      #expect(named.name == "N 2 + P 1")
      #expect(try family.mergeTarget(for: version, wanted: "P 1").name == "N 2 + P 1")
      #expect(try family.mergeTarget(for: version, wanted: "P 1 + N 1").index == version.index)
      for wanted in ["N 3", "N 1 + N 2", "", "N 1 + P 1 + P 1"] {
        #expect(throws: FamilyError.self) { try family.mergeTarget(for: version, wanted: wanted) }
      }
    }
  }

  @Test func theMergeOfSingleVersionsIsItsOwnTargetUnlessOneOfThemHasOtherVersions() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a") + tag)], bundle: "Notas/N.xcdatamodeld")
      try folder.write([("P 1", place + tag)], bundle: "Notas/P.xcdatamodeld")
      func target() throws -> String? {
        guard
          case .known(var family, let version) = try folder.read().recognise(hashes(note("a") + place + tag))
        else { return nil }
        return try family.mergeTarget(for: version, wanted: nil).name
      }
      #expect(try target() == "N 1 + P 1")
      try folder.write([("Q 1", note("b"))], bundle: "Notas/Q.xcdatamodeld")
      #expect(throws: FamilyError.self) { try target() }
      try folder.write("{ target: \"N 1 + P 1\" }", to: "Notas/family.json5")
      #expect(try target() == "N 1 + P 1")
    }
  }

  @Test func aStoreWithOneEntityMoreIsNoMerge() throws {
    try merged { folder in
      for store in [
        note("a") + place, note("c") + place + tag, note("a") + place + tag + note("x", named: "More"),
      ] {
        let text = words(try folder.read().recognise(hashes(store)))
        #expect(text.hasPrefix("unknown"), "\(text)")
      }
    }
  }

  @Test func theFewestModelsAreTakenAndAVersionWithinAnotherAddsNothing() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a")), ("N 2", note("a") + tag)], bundle: "Notas/N.xcdatamodeld")
      try folder.write([("P 1", place)], bundle: "Notas/P.xcdatamodeld")
      try folder.write([("T 1", tag)], bundle: "Notas/T.xcdatamodeld")
      let text = words(try folder.read().recognise(hashes(note("a") + tag + place)))
      #expect(text.hasPrefix("Notas: N 2 + P 1"), "\(text)")
    }
  }

  @Test func severalMergesAreRefusedByName() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a") + tag)], bundle: "Notas/N.xcdatamodeld")
      try folder.write([("P 1", place + tag)], bundle: "Notas/P.xcdatamodeld")
      try folder.write([("Q 1", place)], bundle: "Notas/Q.xcdatamodeld")
      let text = words(try folder.read().recognise(hashes(note("a") + tag + place)))
      #expect(text.contains("several merges") && text.contains("“N 1 + P 1”, “N 1 + Q 1”"), "\(text)")
    }
  }

  @Test func aMappingModelOfOneOfTheModelsIsNotBypassed() throws {
    try merged { folder in
      try folder.writeMapping("Notas/One", from: "N 1", to: "N 2")
      guard case .known(var family, let version) = try folder.read().recognise(hashes(note("a") + place + tag))
      else {
        Issue.record("not known")
        return
      }
      let target = try family.mergeTarget(for: version, wanted: nil)
      do {
        _ = try PathPlan.make(from: version, to: target, in: family)
        Issue.record("bypassed")
      } catch let PlanError.mergedMappingModels(_, _, files) {
        #expect(files.map { URL(fileURLWithPath: $0).lastPathComponent } == ["One.mapping.json5"])
      }
      let other = try family.mergeTarget(for: version, wanted: "N 1")
      #expect(try PathPlan.make(from: version, to: other, in: family).mappingModelFiles.isEmpty)
    }
  }

  @Test func modelsThatDefineAnEntityDifferentlyAreNotMerged() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("N 1", note("a") + tag), ("N 2", note("a") + tag)], bundle: "Notas/N.xcdatamodeld")
      try folder.write(
        [("P 1", place + tag), ("P 2", place + note("b", named: "Tag"))], bundle: "Notas/P.xcdatamodeld")
      guard case .known(var family, let version) = try folder.read().recognise(hashes(note("a") + tag + place))
      else {
        Issue.record("not known")
        return
      }
      #expect(version.origin == .merge(["N 2", "P 1"]))
      #expect(throws: FamilyError.model(.conflictingEntity("Tag"))) {
        try family.mergeTarget(for: version, wanted: nil)
      }
    }
  }

  @Test func aLongSearchEnds() throws {
    try CatalogueFolder.with { folder in
      for number in 0..<24 {
        let entities = (0..<24).filter { $0 != number }.map { note("a", named: "E\($0)")[0] }
        try folder.write([("V", Array(entities.prefix(12)))], bundle: "Notas/B\(number).xcdatamodeld")
      }
      _ = try folder.read().recognise(hashes((0..<24).map { note("a", named: "E\($0)")[0] }))
    }
  }
}
