import CatalogueSupport
import DecantMapping
import DecantModel
import Testing

@testable import DecantCatalogue

@Suite struct PathPlanTests {
  /// The plan as `A → B ⇒(One) C`, or the error's description.
  ///
  /// `→` is an inferred step, and `⇒` a step by the mapping models in parentheses.
  func plan(
    _ family: Family, _ source: String, _ destination: String, joiningSteps: Bool = true
  ) throws -> String {
    let from = try #require(family.version(named: source))
    let to = try #require(family.version(named: destination))
    do {
      let plan = try PathPlan.make(from: from, to: to, in: family, joiningSteps: joiningSteps)
      return plan.steps.reduce(source) { text, step in
        switch step.work {
        case .inferred: "\(text) → \(step.destination.name)"
        case .mappingModels(let models):
          "\(text) ⇒(\(models.map(\.file.name).joined(separator: "+"))) \(step.destination.name)"
        }
      }
    } catch {
      return error.description
    }
  }

  func expect(
    _ family: Family, _ source: String, _ destination: String, _ expected: String,
    joiningSteps: Bool = true, at location: SourceLocation = #_sourceLocation
  ) throws {
    let text = try plan(family, source, destination, joiningSteps: joiningSteps)
    #expect(text == expected, sourceLocation: location)
  }

  /// Calls the body with a family of versions, mapping models and settings.
  ///
  /// - Parameters:
  ///   - mappings: Source and destination of each mapping model, whose file has the name `A-B`.
  ///   - settings: The text of `family.json5`; nil for none.
  func family(
    _ versions: [(String, [Entity])], _ mappings: [(String, String)] = [], _ settings: String? = nil,
    _ body: (Family) throws -> Void
  ) throws {
    try CatalogueFolder.with { folder in
      try folder.write(versions.map { (name: $0.0, entities: $0.1) }, bundle: "Notas/Notas.xcdatamodeld")
      for mapping in mappings {
        try folder.writeMapping("Notas/\(mapping.0)-\(mapping.1)", from: mapping.0, to: mapping.1)
      }
      if let settings { try folder.write(settings, to: "Notas/family.json5") }
      try body(try folder.family("Notas"))
    }
  }

  /// Versions `M 1` to `M n` that differ in one optional attribute, so that any step can be inferred.
  func numbered(_ count: Int) -> [(String, [Entity])] {
    (1...count).map { ("M \($0)", note("a\($0)")) }
  }

  // MARK: Inference

  @Test func nothingToDoIsAnEmptyPlan() throws {
    try family(numbered(2)) { family in
      let version = try #require(family.version(named: "M 1"))
      let plan = try PathPlan.make(from: version, to: version, in: family)
      #expect(plan.steps.isEmpty && plan.mappingModelFiles.isEmpty && plan.warnings.isEmpty)
    }
  }

  @Test func oneInferredStepLeadsStraightToTheTarget() throws {
    try family(numbered(4)) { family in
      try expect(family, "M 1", "M 4", "M 1 → M 4")
    }
  }

  @Test func anOlderTargetIsPlannedWithAWarning() throws {
    try family(numbered(2)) { family in
      let (old, new) = (try #require(family.version(named: "M 1")), try #require(family.version(named: "M 2")))
      #expect(
        try PathPlan.make(from: new, to: old, in: family).warnings == [
          "The destination “M 1” seems to be older than the store's version “M 2”; if that isn't meant, set “target” "
            + "in family.json5."
        ])
      #expect(try PathPlan.make(from: old, to: new, in: family).warnings == [])
    }
  }

  @Test func theStepsModelIsThatOfTheNameAskedFor() throws {
    try family([("A", note("a")), ("B", note("b<a")), ("C", note("b"))]) { family in
      // B and C are one version under two names. Only B's file says that “b” was called “a”.
      #expect(family.versions.count == 2)
      let from = try #require(family.version(named: "A"))
      let to = try #require(family.version(named: "B"))
      let step = try #require(try PathPlan.make(from: from, to: to, in: family).steps.first)
      #expect(step.destination.name == "B")
      guard case .inferred(let mapping) = step.work else {
        Issue.record("not inferred")
        return
      }
      #expect(mapping.drops.isEmpty)
    }
  }

  /// Four versions: the step from `M 1` to `M 4` can't be inferred, because `M 4` has a new required attribute `r`.
  private func detour(_ second: [Entity], _ third: [Entity]) -> [(String, [Entity])] {
    var last = note("r!")
    last[0].attributes[0].defaultValue = nil
    return [("M 1", note("a")), ("M 2", second), ("M 3", third), ("M 4", last)]
  }

  @Test func aRequiredAttributeInTheMiddleIsNoWay() throws {
    try family(detour(note("a", "r"), note("r"))) { family in
      try expect(
        family, "M 1", "M 4",
        "The step from “M 1” to “M 4” can't be inferred: entity “Note”: attribute “r” is new and required, and "
          + "has no default. Give the attribute a default or make it optional in a new version, or write a mapping "
          + "model for these versions.")
    }
  }

  @Test func aMappingModelThatLeadsTheOtherWayIsNamed() throws {
    let versions = [detour(note("a", "r"), note("r"))[0], detour(note("a", "r"), note("r"))[3]]
    try family(versions, [("M 4", "M 1")]) { family in
      let text = try plan(family, "M 1", "M 4")
      #expect(
        text.hasSuffix(
          "model for these versions. There is “M 4-M 1”, which leads in the other direction: if it is meant for this step, exchange "
            + "its “source” and “destination”."), "\(text)")
    }
  }

  @Test func aMappingModelThatMakesTheDestinationLookOlderIsNamed() throws {
    try family(numbered(3), [("M 3", "M 2")]) { family in
      let from = try #require(family.version(named: "M 2"))
      let to = try #require(family.version(named: "M 3"))
      #expect(
        try PathPlan.make(from: from, to: to, in: family).warnings == [
          "The destination “M 3” seems to be older than the store's version “M 2”, because mapping "
            + "models lead from the destination to the store's version: “M 3-M 2”. If a mapping model is meant for the "
            + "other direction, exchange its “source” and “destination”."
        ])
    }
  }

  /// Three versions: Note has two successors in `M 3`, and only one of them in `M 2`.
  private let renamedAway: [(String, [Entity])] = [
    ("M 1", note("a")),
    ("M 2", [Entity(name: "Memo", renamingIdentifier: "Note", attributes: note("a")[0].attributes)]),
    (
      "M 3",
      [Entity(name: "Memo", renamingIdentifier: "Note", attributes: note("a")[0].attributes)] + note("z")
    ),
  ]

  @Test func aChainIsTakenWhereTheStraightStepCantBeInferred() throws {
    try family(renamedAway) { family in
      try expect(family, "M 1", "M 3", "M 1 → M 2 → M 3", joiningSteps: false)
    }
  }

  @Test func theShortestChainWithTheFewestDropsIsTaken() throws {
    let memo = Entity(name: "Memo", renamingIdentifier: "Note", attributes: note("a")[0].attributes)
    let poor = Entity(name: "Memo", renamingIdentifier: "Note", attributes: note("b")[0].attributes)
    try family([("M 1", note("a")), ("M 2", [poor]), ("M 3", [memo]), ("M 4", [memo] + note("z"))]) { family in
      try expect(family, "M 1", "M 4", "M 1 → M 3 → M 4", joiningSteps: false)
    }
  }

  @Test func aChainNeverGoesBackBeyondItsEnds() throws {
    let memo = Entity(name: "Memo", renamingIdentifier: "Note", attributes: note("a")[0].attributes)
    try family([("M 1", note("a")), ("M 2", [memo] + note("z")), ("M 3", [memo])]) { family in
      let text = try plan(family, "M 1", "M 2")
      #expect(
        text.hasPrefix(
          "The step from “M 1” to “M 2” can't be inferred: entity “Note” is continued by several entities: “Memo”, "
            + "“Note”. Name the right entity"))
    }
  }

  @Test func renamesOfTheFileHoldForTheirDestinations() throws {
    let settings = "{ renames: [{ to: \"M 3\", entities: { Note: \"Memo\" } }] }"
    try family(renamedAway, [], settings) { family in
      try expect(family, "M 1", "M 3", "M 1 → M 3")
    }
  }

  @Test func refusedInferenceNeedsMappingModels() throws {
    try family(numbered(3), [("M 1", "M 2")], "{ inference: \"refuse\" }") { family in
      try expect(family, "M 1", "M 2", "M 1 ⇒(M 1-M 2) M 2")
      try expect(
        family, "M 1", "M 3",
        "No mapping models lead from “M 1” to “M 3”, and family.json5 says inference: \"refuse\". Add mapping "
          + "models, or set inference: \"allow\".")
    }
  }

  // MARK: Mapping models

  @Test func withoutAnySignTheOnlyWayIsTakenWhereInferenceFails() throws {
    var last = note("d!")
    last[0].attributes[0].defaultValue = nil
    let versions = [
      ("Sun", note("a")), ("Moon", note("b")), ("Star", note("d")), ("Sky", last), ("Sea", note("e")),
    ]
    try family(versions, [("Moon", "Sky")]) { family in
      try expect(family, "Sun", "Sky", "Sun → Moon ⇒(Moon-Sky) Sky")
    }
  }

  @Test func theCurrentVersionIsTheLastOne() throws {
    let versions = [("Sun", note("a")), ("Moon", note("b")), ("Star", note("c")), ("Sky", note("d"))]
    try family(versions, [("Sun", "Moon")]) { family in
      // The direction is certain: a mapping model leads from Sun to Moon, and Moon isn't the last version.
      try expect(family, "Sun", "Sky", "Sun ⇒(Sun-Moon) Moon → Sky")
    }
  }

  @Test func renamingIdentifiersTellWhatCameFirst() throws {
    let versions = [
      ("Sun", note("a")), ("Moon", note("b<a")), ("Star", note("c<b")), ("Sky", note("d<c")),
    ]
    try family(versions, [("Moon", "Star")]) { family in
      try expect(family, "Sun", "Sky", "Sun → Moon ⇒(Moon-Star) Star → Sky")
    }
  }

  @Test func manyMappingModelsWithoutOrderEndInARefusalAndNotInAHang() throws {
    let names = (0..<14).map { "\(Character(UnicodeScalar(97 + UInt8($0))))x" }
    let versions = names.map { ($0, note("p\($0)")) }
    let mappings = names.dropLast().flatMap { one in names.dropLast().filter { $0 != one }.map { (one, $0) } }
    try family(versions, mappings) { family in
      let text = try plan(family, names[0], names[13])
      #expect(text.contains("path"))
    }
  }

  @Test func aLongRowOfMappingModelsIsFollowed() throws {
    let mappings = (1..<30).map { ("M \($0)", "M \($0 + 1)") }
    try family(numbered(30), mappings) { family in
      let expected = (2...30).reduce("M 1") { "\($0) ⇒(M \($1 - 1)-M \($1)) M \($1)" }
      try expect(family, "M 1", "M 30", expected)
    }
    try family(numbered(30), mappings.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)) { family in
      let text = try plan(family, "M 1", "M 30")
      #expect(text.hasSuffix("→ M 27 ⇒(M 27-M 28) M 28 → M 29 ⇒(M 29-M 30) M 30"))
    }
  }
}
