import CatalogueSupport
import DecantMapping
import DecantModel
import Testing

@testable import DecantCatalogue

/// Paths through mapping models.
extension PathPlanTests {
  @Test func inferenceNeverBypassesAMappingModel() throws {
    try family(numbered(5), [("M 2", "M 3")]) { family in
      try expect(family, "M 1", "M 5", "M 1 → M 2 ⇒(M 2-M 3) M 3 → M 5")
      try expect(family, "M 2", "M 3", "M 2 ⇒(M 2-M 3) M 3")
      try expect(family, "M 1", "M 3", "M 1 → M 2 ⇒(M 2-M 3) M 3")
    }
  }

  @Test func severalMappingModelsInARowAreAllTaken() throws {
    try family(numbered(6), [("M 2", "M 3"), ("M 4", "M 5")]) { family in
      try expect(family, "M 1", "M 6", "M 1 → M 2 ⇒(M 2-M 3) M 3 → M 4 ⇒(M 4-M 5) M 5 → M 6")
      try expect(family, "M 3", "M 6", "M 3 → M 4 ⇒(M 4-M 5) M 5 → M 6")
    }
  }

  @Test func aMappingModelBeforeTheSourceOrAfterTheTargetDoesntCount() throws {
    try family(numbered(5), [("M 1", "M 2"), ("M 4", "M 5")]) { family in
      try expect(family, "M 2", "M 3", "M 2 → M 3")
      try expect(family, "M 3", "M 4", "M 3 → M 4")
      try expect(family, "M 2", "M 4", "M 2 → M 4")
    }
  }

  @Test func aDetourBackwardsOverAMappingModelIsNoWay() throws {
    try family(numbered(5), [("M 4", "M 5")]) { family in
      try expect(family, "M 2", "M 3", "M 2 → M 3")
      try expect(family, "M 5", "M 2", "M 5 → M 2")
    }
  }

  @Test func mappingModelsInBothDirectionsAreEachTakenTheirWay() throws {
    try family(numbered(2), [("M 1", "M 2"), ("M 2", "M 1")]) { family in
      try expect(family, "M 1", "M 2", "M 1 ⇒(M 1-M 2) M 2")
      try expect(family, "M 2", "M 1", "M 2 ⇒(M 2-M 1) M 1")
    }
  }

  @Test func theWayBackTakesTheMappingModelsThatLeadBack() throws {
    let mappings = [("M 1", "M 2"), ("M 2", "M 3"), ("M 3", "M 2"), ("M 2", "M 1")]
    try family(numbered(4), mappings) { family in
      try expect(family, "M 4", "M 1", "M 4 → M 3 ⇒(M 3-M 2) M 2 ⇒(M 2-M 1) M 1")
      try expect(family, "M 1", "M 4", "M 1 ⇒(M 1-M 2) M 2 ⇒(M 2-M 3) M 3 → M 4")
    }
  }

  @Test func severalMappingModelsForOnePairArePassesOfOneStep() throws {
    try CatalogueFolder.with { folder in
      try folder.write(numbered(2).map { (name: $0.0, entities: $0.1) }, bundle: "Notas/Notas.xcdatamodeld")
      try folder.writeMapping("Notas/Second", from: "M 1", to: "M 2", order: 2)
      try folder.writeMapping("Notas/First", from: "M 1", to: "M 2", order: 1)
      let family = try folder.family("Notas")
      try expect(family, "M 1", "M 2", "M 1 ⇒(First+Second) M 2")
      let ends = (try #require(family.version(named: "M 1")), try #require(family.version(named: "M 2")))
      let files = try PathPlan.make(from: ends.0, to: ends.1, in: family).mappingModelFiles
      #expect(files.map(\.name) == ["First", "Second"])
    }
  }

  @Test func twoWaysThroughMappingModelsAreRefusedAndAPathDecides() throws {
    let mappings = [("M 1", "M 2"), ("M 1", "M 3"), ("M 3", "M 4")]
    try family(numbered(4), mappings) { family in
      try expect(
        family, "M 1", "M 4",
        "Several paths lead from “M 1” to “M 4” through mapping models: “M 1” → “M 2” → “M 3” → “M 4”; or “M 1” → "
          + "“M 3” → “M 4”. Set “path” in family.json5, such as path: [\"M 1\", \"M 2\", \"M 3\", \"M 4\"].")
    }
    try family(numbered(4), mappings, "{ path: [\"M 1\", \"M 3\", \"M 4\"] }") { family in
      try expect(family, "M 1", "M 4", "M 1 ⇒(M 1-M 3) M 3 ⇒(M 3-M 4) M 4")
      try expect(family, "M 3", "M 4", "M 3 ⇒(M 3-M 4) M 4")
      try expect(family, "M 2", "M 4", "M 2 → M 3 ⇒(M 3-M 4) M 4")
      try expect(family, "M 1", "M 3", "M 1 ⇒(M 1-M 3) M 3")
    }
  }

  @Test func aStatedPathMayBypassAMappingModelAndEndBeforeTheTarget() throws {
    try family(numbered(5), [("M 2", "M 3")], "{ path: [[\"M 1\", \"M 4\"]] }") { family in
      try expect(family, "M 1", "M 4", "M 1 → M 4")
      try expect(family, "M 1", "M 5", "M 1 → M 4 → M 5", joiningSteps: false)
      try expect(family, "M 1", "M 5", "M 1 → M 5")
      try expect(family, "M 2", "M 4", "M 2 ⇒(M 2-M 3) M 3 → M 4")
    }
  }

  @Test func aStatedPathInACircleEnds() throws {
    let path = "{ path: [[\"M 1\", \"M 2\"], [\"M 2\", \"M 1\"]] }"
    try family(numbered(3), [], path) { family in
      try expect(family, "M 1", "M 3", "M 1 → M 2 → M 3", joiningSteps: false)
    }
  }

  // MARK: Direction

  @Test func withoutAnySignOfDirectionAPathIsAskedFor() throws {
    let versions = [
      ("Sun", note("a")), ("Moon", note("b")), ("Star", note("c")), ("Sky", note("d")), ("Sea", note("e")),
    ]
    try family(versions, [("Moon", "Star")]) { family in
      try expect(
        family, "Sun", "Sky",
        "It isn't known whether the path from “Sun” to “Sky” leads through “Moon-Star”. Set “path” in family.json5: "
          + "path: [\"Sun\", \"Sky\"] for one inferred step, or the list of all versions of the "
          + "path.")
    }
    try family(versions, [("Moon", "Star")], "{ path: [\"Sun\", \"Sky\"] }") { family in
      try expect(family, "Sun", "Sky", "Sun → Sky")
    }
  }

  @Test func anInferredLegAfterAMappingModelBypassesNoneEither() throws {
    let versions = [("Sun", note("a")), ("Moon", note("b")), ("Star", note("c")), ("Sky", note("d"))]
    let refusal =
      "It isn't known whether the path from “Moon” to “Sky” leads through “Star-Sky”. Set “path” in family.json5: "
      + "path: [\"Moon\", \"Sky\"] for one inferred step, or the list of all versions of the path."
    try family(versions, [("Sun", "Moon"), ("Star", "Sky")]) { family in
      try expect(family, "Moon", "Sky", refusal)
      try expect(family, "Sun", "Sky", refusal)
    }
    try family(
      versions, [("Sun", "Moon"), ("Star", "Sky")], "{ path: [\"Sun\", \"Moon\", \"Star\", \"Sky\"] }"
    ) {
      family in
      try expect(family, "Sun", "Sky", "Sun ⇒(Sun-Moon) Moon → Star ⇒(Star-Sky) Sky")
    }
  }
}
