import CatalogueSupport
import DecantCatalogue
import DecantModel
import Foundation
import Testing

@testable import DecantMigration

@Suite("Checks: a catalogue") struct CatalogueCheckTests {
  static let versions = [
    ("A", note("a") + note("x", named: "Tag")), ("B", note("b<a") + note("x", named: "Tag")),
    ("C", note("c", "d") + note("x", named: "Tag") + note("n", named: "Kind")),
  ]

  /// A family of three versions; A to B can be inferred.
  func report(
    mappings: [String: String] = [:], settings: String? = nil, files: [String: String] = [:],
    _ body: (FamilyReport) throws -> Void
  ) throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
      for (name, text) in mappings {
        try folder.write(
          "{ source: \"B\", destination: \"C\", entityMappings: [\(text)] }", to: "Notas/\(name).mapping.json5")
      }
      if let settings { try folder.write(settings, to: "Notas/family.json5") }
      for (name, text) in files { try folder.write(text, to: "Notas/\(name)") }
      let report = try CatalogueCheck.report(at: folder.url)
      try body(try #require(report.families.first))
    }
  }

  private static let notes = "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.b\" } }"
  static let tag = "{ source: \"Tag\", destination: \"Tag\" }"
  static let kind = "{ add: \"Kind\" }"

  func messages(_ report: FamilyReport, _ severity: FamilyReport.Finding.Severity = .error) -> [String] {
    report.findings.filter { $0.severity == severity }.map(\.message)
  }

  @Test func everyVersionHasItsWayToTheTarget() throws {
    try report(mappings: ["Step": "\(Self.notes), \(Self.tag), \(Self.kind)"]) { report in
      #expect(report.isUsable && report.findings == [])
      #expect(report.versions.map(\.reach) == [.reached, .reached, .isTarget])
      #expect(
        report.versions.map { $0.steps.map { "\($0.source) \($0.destination) \($0.mappingModels)" } } == [
          ["A B []", "B C [\"Step\"]"], ["B C [\"Step\"]"], [],
        ])
      let pair = try #require(report.pairs.first)
      #expect(report.pairs.count == 1 && pair.isUsed && pair.untaken == [] && pair.unmade == [])
      #expect(pair.mappingModels[0].entityMappings.map(\.way) == [.set, .set, nil])
      #expect(report.unusedFiles == [] && report.policies == [])
    }
  }

  @Test func aTextThatLeadsTheOtherWayIsToldOnce() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
      try folder.write(
        "{ source: \"C\", destination: \"B\", entityMappings: [\(Self.notes), \(Self.tag), \(Self.kind)] }",
        to: "Notas/Step.mapping.json5")
      try folder.write("{ target: \"C\" }", to: "Notas/family.json5")
      let report = try #require(CatalogueCheck.report(at: folder.url).families.first)
      #expect(
        report.findings.filter { $0.file?.hasSuffix("Step.mapping.json5") == true }.map(\.message) == [
          "the names in its entity mappings fit only a migration from “B” to “C”. Exchange “source” and "
            + "“destination” of the mapping model."
        ])
    }
  }

  @Test func twoPassesOfOneNameAreNoticed() throws {
    for (second, count) in [("One", 1), ("Two", 0)] {
      try CatalogueFolder.with { folder in
        try folder.write(Self.versions, bundle: "Notas/Notas.xcdatamodeld")
        for (file, (order, name)) in ["A": (1, "One"), "B": (2, second)] {
          try folder.write(
            "{ name: \"\(name)\", order: \(order), source: \"B\", destination: \"C\", entityMappings: [\(Self.notes), "
              + "\(Self.tag), \(Self.kind)] }", to: "Notas/\(file).mapping.json5")
        }
        let report = try #require(CatalogueCheck.report(at: folder.url).families.first)
        let named = report.findings.filter { $0.message.contains("the same name “One”") }
        #expect(named.count == count)
        #expect(named.allSatisfy { $0.file?.hasSuffix("B.mapping.json5") == true })
      }
    }
  }

  @Test func entitiesThatNothingTakesOrMakesAreNamed() throws {
    try report(mappings: ["Step": Self.notes]) { report in
      #expect(report.pairs[0].untaken == ["Tag"] && report.pairs[0].unmade == ["Kind", "Tag"])
      #expect(
        messages(report) == [
          "no entity mapping takes objects of “Tag”, so they would be lost. Add { source: \"Tag\", destination: "
            + "\"Tag\" }, or say { remove: \"Tag\" }, or others: \"infer\" for all entities that aren't named."
        ])
      #expect(
        messages(report, .note) == [
          "“B” to “C” (“Step”): no entity mapping makes objects of the new entity “Kind”; new stores have none."
        ])
    }
  }

  @Test func whatIsRemovedOnPurposeIsANoteAndWhatBecomesSomethingElseAWarning() throws {
    try report(mappings: ["Step": "\(Self.notes), { remove: \"Tag\" }, \(Self.kind)"]) { report in
      #expect(report.count(.warning) == 0)
      #expect(
        messages(report, .note) == [
          "“B” to “C” (“Step”): objects of “Tag” are removed, though “C” has that entity too; new stores have none."
        ])
    }
    let other = "{ source: \"Tag\", destination: \"Kind\", attributes: { n: \"$source.x\" } }"
    try report(mappings: ["Step": "\(Self.notes), \(other)"]) { report in
      #expect(
        messages(report, .warning) == [
          "“B” to “C” (“Step”): entity mappings take objects of “Tag”, but no entity mapping makes any, "
            + "though “C” has that entity too; new stores have none."
        ])
    }
  }

  @Test func propertiesThatNothingReadsAreNamedUnlessTheirLossIsAccepted() throws {
    let mappings =
      "\(Self.notes), { source: \"Tag\", destination: \"Tag\", attributes: { x: null } }, \(Self.kind)"
    try report(mappings: ["Step": mappings]) { report in
      #expect(
        messages(report, .warning) == [
          "“B” to “C” (“Step”): nothing in the mapping models reads “Tag.x”; its values are lost."
        ])
      #expect(messages(report, .note) == [DropCheck.advice])
    }
    try report(mappings: ["Step": mappings], settings: "{ acceptedLosses: [\"Tag.x\"] }") { report in
      #expect(report.findings == [])
    }
    let policy = mappings.replacingOccurrences(
      of: "attributes: { x: null }", with: "policy: \"P\", attributes: { x: null }")
    try report(mappings: ["Step": policy]) { report in
      #expect(messages(report, .warning) == [])
      #expect(
        messages(report, .note) == [
          "“B” to “C” (“Step”): no expression reads “Tag.x”. Code of the application can read it. Decant can't know whether it does."
        ])
    }
  }

  @Test func whatDoesNotFitTheModelsIsAnErrorWithFileAndPlace() throws {
    let wrong =
      "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.z\" } }, \(Self.tag), \(Self.kind)"
    try report(mappings: ["Step": wrong]) { report in
      let error = try #require(report.findings.first)
      #expect(error.severity == .error && error.file?.hasSuffix("/Notas/Step.mapping.json5") == true)
      #expect(
        error.message
          == "entity mapping “NoteToNote”, “c”: the source entity “Note” of “B” has no property “z”. Its properties are: b."
      )
    }
  }

  @Test func staleHashesAreErrorsUnlessTheyAreAccepted() throws {
    let hash = String(repeating: "0", count: 64)
    let stale =
      "{ source: \"Tag\", destination: \"Tag\", sourceHash: \"\(hash)\" }, \(Self.notes), \(Self.kind)"
    try report(mappings: ["Step": stale]) { report in
      #expect(report.count(.error) == 1 && messages(report)[0].contains(hash))
    }
    try report(mappings: ["Step": stale], settings: "{ acceptStaleHashes: [\"Step\"] }") { report in
      #expect(report.count(.error) == 0 && messages(report, .warning)[0].contains(hash))
    }
  }

  @Test func passesWithoutOrderAndUnreachableVersionsAreErrors() throws {
    let all = "\(Self.notes), \(Self.tag), \(Self.kind)"
    try report(mappings: ["One": all, "Two": ""], settings: "{ inference: \"refuse\" }") { report in
      #expect(messages(report).contains { $0.contains("2 mapping models are for “B” to “C”") })
      #expect(report.versions.map(\.reach) == [.unreached, .reached, .isTarget])
      #expect(
        messages(report).contains { $0.hasPrefix("Stores of version “A” can't reach “C”: No mapping models") }
      )
      #expect(report.versions[0].problem?.contains("inference: \"refuse\"") == true)
    }
  }

  @Test func aChainOfMappingModelsThatBreaksOffIsToldWithItsGap() throws {
    try CatalogueFolder.with { folder in
      try folder.write(
        ["V 1", "V 2", "V 3", "V 4", "V 5"].map { name in (name, note("a\(name.last ?? "0")!")) },
        bundle: "Notas/Notas.xcdatamodeld")
      for (source, destination) in [(1, 2), (2, 3), (4, 5)] {
        try folder.write(
          "{ source: \"V \(source)\", destination: \"V \(destination)\", entityMappings: [{ source: \"Note\", "
            + "destination: \"Note\", attributes: { a\(destination): \"$source.a\(source)\" } }] }",
          to: "Notas/\(source).mapping.json5")
      }
      let report = try #require(CatalogueCheck.report(at: folder.url).families.first)
      #expect(report.versions.map(\.reach) == [.unreached, .unreached, .unreached, .reached, .isTarget])
      let errors = messages(report)
      #expect(
        errors.count == 3
          && errors.allSatisfy { $0.hasSuffix("A path is missing from “V 3” to “V 4”.") },
        "\(errors)")
      #expect(
        errors[0].hasPrefix("Stores of version “V 1” can't reach “V 5”: ")
          && errors[0].contains("Mapping models lead from “V 1” to “V 3”, and from “V 4” to “V 5”."),
        "\(errors)")
      #expect(errors[2].contains("Mapping models lead from “V 4” to “V 5”."), "\(errors)")
    }
  }

  @Test func expressionsThatAreNoSetAreNamed() throws {
    let rows = "{ source: \"Note\", destination: \"Note\", attributes: { c: \"FUNCTION($source.b, 'foo')\" } }"
    try report(mappings: ["Step": "\(rows), \(Self.tag), \(Self.kind)"]) { report in
      #expect(
        messages(report, .note).contains {
          $0.hasPrefix("Entity mapping “NoteToNote” runs row by row, because of “c”")
        })
    }
  }

  /// The links and their targets have different names; some targets are in the family's folder.
  @Test func whatALinkLeadsToIsReadAndALinkThatIsReadIsNotUnused() throws {
    try CatalogueFolder.with { folder in
      try folder.write(Self.versions, bundle: "Notas/src/App.xcdatamodeld")
      try folder.write([("Z", note("z"))], bundle: "elsewhere/Other.xcdatamodeld")
      let step = "\(Self.notes), \(Self.tag), \(Self.kind)"
      try folder.write(
        "{ source: \"B\", destination: \"C\", entityMappings: [\(step)] }", to: "Notas/parts/Step.mapping.json5"
      )
      try folder.write("{ target: \"C\" }", to: "Notas/settings/live.json5")
      try folder.write("x", to: "Notas/readme.txt")
      let links = [
        ("Notas.xcdatamodeld", "now"), ("now", "src/App.xcdatamodeld"),
        ("Zwei.xcdatamodeld", "../elsewhere/Other.xcdatamodeld"),
        ("One.mapping.json5", "parts/Step.mapping.json5"), ("family.json5", "settings/live.json5"),
        ("notes.txt", "readme.txt"),
      ]
      for (name, target) in links {
        try FileManager.default.createSymbolicLink(
          atPath: folder.url.appendingPathComponent("Notas/\(name)").path, withDestinationPath: target)
      }
      let report = try CatalogueCheck.report(at: folder.url.appendingPathComponent("Notas"))
      let family = try #require(report.families.first)
      #expect(family.pairs.first?.isUsed == true, "\(family.findings)")
      #expect(family.unusedFiles == ["notes.txt", "readme.txt"])
    }
  }

  @Test func filesAndMappingModelsThatNothingUsesAreNotes() throws {
    try report(
      settings: "{ target: \"B\" }",
      files: [
        "readme.txt": "x",
        "Old.mapping.json5":
          "{ source: \"B\", destination: \"C\", entityMappings: [\(Self.notes), \(Self.tag), \(Self.kind)] }",
      ]
    ) { report in
      #expect(report.unusedFiles == ["readme.txt"])
      #expect(report.pairs.map(\.isUsed) == [false])
      #expect(
        messages(report, .note) == [
          "“B” to “C” (“Old”): no version's path to the target uses this step.",
          "Nothing reads “readme.txt”.",
        ])
      #expect(report.versions.map(\.reach) == [.reached, .isTarget, .newer])
      #expect(
        messages(report, .warning).map { $0.hasPrefix("Version “C” seems to be newer than the target “B”") }
          == [true])
    }
  }

  @Test func aMappingModelThatLeadsBackwardsIsNamedWhereItMakesTheTargetLookOlder() throws {
    let back = [
      "Back.mapping.json5":
        "{ source: \"C\", destination: \"A\", entityMappings: [\(Self.tag), { remove: \"Kind\" }, "
        + "{ source: \"Note\", destination: \"Note\", attributes: { a: \"$source.c\" } }] }"
    ]
    try report(files: back) { report in
      #expect(report.versions.map(\.reach) == [.newer, .reached, .isTarget])
      let error = try #require(report.findings.first { $0.severity == .error })
      #expect(report.count(.error) == 1 && error.file?.hasSuffix("/Notas/Back.mapping.json5") == true)
      #expect(
        error.message
          == "Stores of version “A” are refused: the mapping model “Back” leads from the target “C” to “A”. So the "
          + "target seems to be the older version, and it is only a default. To migrate stores to “C”, say target: \"C\" in "
          + "family.json5. To migrate them to “A”, name that version.")
    }
    try report(settings: "{ target: \"C\" }", files: back) { report in
      #expect(report.count(.error) == 0, "\(report.findings)")
    }
    // Only the two mapping models together lead back to “A”: the first leads to “B”, the second from there to “A”.
    let forth = [
      "One.mapping.json5": "{ source: \"C\", destination: \"B\", entityMappings: [] }",
      "Two.mapping.json5": "{ source: \"B\", destination: \"A\", entityMappings: [] }",
    ]
    try report(files: forth) { report in
      #expect(
        messages(report).contains {
          $0.hasPrefix(
            "Stores of version “A” are refused: the mapping models “One”, “Two”, one after the other, lead")
        }, "\(messages(report))")
    }
  }
}
