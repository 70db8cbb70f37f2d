import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantMigration

@Suite("Checks: inferred steps that drop something") struct DropCheckTests {
  private func report(
    _ versions: [(String, [Entity])], settings: String? = nil
  ) throws -> FamilyReport {
    try CatalogueFolder.with { folder in
      try folder.write(versions.map { (name: $0.0, entities: $0.1) }, bundle: "Notas/Notas.xcdatamodeld")
      if let settings { try folder.write(settings, to: "Notas/family.json5") }
      return try #require(try CatalogueCheck.report(at: folder.url).families.first)
    }
  }

  private func warnings(_ report: FamilyReport) -> [String] {
    report.findings.filter { $0.severity == .warning }.map(\.message)
  }

  @Test func eachDropIsToldOnceWithItsVersions() throws {
    let versions =
      (1...5).map { ("M \($0)", note("a", "b", "n\($0)<n\($0 - 1)")) } + [("M 6", note("a", "n6<n5"))]
    let found = try warnings(report(versions))
    #expect(found == ["“Note.b” is dropped on the path to “M 6” from “M 1” to “M 5” (5 versions)."])
  }

  @Test func versionsInTwoFormsAreTwo() throws {
    let names = ["Caf\u{E9}", "Cafe\u{301}"]
    let found = try warnings(
      report(
        [
          ("A", note("n", "a", "z")), (names[0], note("n2<n", "z")), ("B", note("n2<n", "a")),
          (names[1], note("n3<n2")),
        ],
        settings:
          "{ path: [[\"A\", \"\(names[0])\"], [\"\(names[0])\", \"\(names[1])\"], [\"B\", \"\(names[1])\"]], "
          + "acceptedLosses: [\"Note.z\"] }"))
    let sentence = names.enumerated().map { "on the path to “\($1)” from “\(["A", "B"][$0])”" }
    #expect(
      found.map { Array($0.utf8) } == [
        Array("“Note.a” is dropped \(sentence.joined(separator: ", and ")).".utf8)
      ])
  }

  @Test func anEntityAndAProbableRenameAreNamed() throws {
    let found = try warnings(
      report([
        ("M 1", note("title") + note("x", named: "Gone")), ("M 2", note("noteTitle")),
      ]))
    #expect(
      found == [
        "Entity “Gone” is dropped on the path to “M 2” from “M 1”.",
        "“Note.title” is dropped on the path to “M 2” from “M 1”. Probably “noteTitle” is its new name: state that by a "
          + "renaming identifier or in “renames”.",
      ])
  }

  /// `noteTitle` may be the new name of `title`.
  ///
  /// In “M 1” it may also be that of `theTitle`, so only “M 2” has a probable rename.
  @Test func oneThingIsOneWarningThoughOnlySomeVersionsHaveAProbableRename() throws {
    let found = try warnings(
      report([("M 1", note("title", "theTitle")), ("M 2", note("title")), ("M 3", note("noteTitle"))]))
    #expect(
      found == [
        "“Note.theTitle” is dropped on the path to “M 3” from “M 1”.",
        "“Note.title” is dropped on the path to “M 3” from “M 1”, “M 2”. Probably “noteTitle” is its new name: state that "
          + "by a renaming identifier or in “renames”.",
      ])
  }

  @Test func oneThingThatIsDroppedOnTwoWaysIsOneWarning() throws {
    let mapping = """
      { source: "M 2", destination: "M 3",
        entityMappings: [{ source: "Note", destination: "Note", attributes: { n3: "$source.n2", b: null } }] }
      """
    let found = try CatalogueFolder.with { folder in
      try folder.write(
        [
          ("M 1", note("n1", "b")), ("M 2", note("n2<n1")), ("M 3", note("n3<n2", "b")), ("M 4", note("n4<n3")),
        ],
        bundle: "Notas/Notas.xcdatamodeld")
      try folder.write(mapping, to: "Notas/two.mapping.json5")
      return try warnings(#require(try CatalogueCheck.report(at: folder.url).families.first))
    }
    #expect(
      found == [
        "“Note.b” is dropped on the path to “M 2” from “M 1”, and on the path to “M 4” from “M 1” to “M 3” (3 versions)."
      ])
  }

  @Test func whatIsAcceptedIsNoWarning() throws {
    let versions = [("M 1", note("a", "b")), ("M 2", note("a"))]
    #expect(try warnings(report(versions)).count == 1)
    let accepted = try report(versions, settings: "{ acceptedLosses: [\"Note.b\"] }")
    #expect(accepted.findings == [])
  }

  /// Without this setting, one step would lead from the first version to the last.
  private static let path = "path: [[\"M 1\", \"M 2\"], [\"M 2\", \"M 3\"]]"

  /// A report names a lost property as the store's version does.
  ///
  /// So only that name accepts the loss.
  @Test func whatIsAcceptedByTheStoresNameIsNoWarningThoughItIsRenamedOnTheWay() throws {
    let versions = [("M 1", note("a", "k")), ("M 2", note("b<a", "k")), ("M 3", note("k"))]
    func found(_ accepted: String) throws -> [String] {
      try warnings(report(versions, settings: "{ \(Self.path), acceptedLosses: [\(accepted)] }"))
    }
    #expect(try found("\"Note.a\"") == ["“Note.b” is dropped on the path to “M 3” from “M 2”."])
    #expect(try found("\"Note.b\"") == ["“Note.b” is dropped on the path to “M 3” from “M 1”."])
    #expect(try found("\"Note.a\", \"Note.b\"") == [])
  }

  @Test func whatOnlyAVersionOnTheWayHasIsDroppedFromThatAlone() throws {
    let versions = [("M 1", note("k")), ("M 2", note("k", "b")), ("M 3", note("k"))]
    #expect(
      try warnings(report(versions, settings: "{ \(Self.path) }")) == [
        "“Note.b” is dropped on the path to “M 3” from “M 2”."
      ])
  }

  @Test func anInferredStepThatLosesTheOrderIsAWarning() throws {
    func found(_ family: String?) throws -> [String] {
      let shop = try Workshop(
        [
          "Note\n tags ->> Tag.notes ordered\nTag\n notes ->> Note.tags",
          "Note\n tags ->> Tag.notes\nTag\n notes ->> Note.tags",
        ],
        family: family)
      return try #require(CatalogueCheck.report(at: shop.catalogue).families.first).findings.map(\.message)
    }
    #expect(
      try found(nil).first
        == "“Note.tags” loses its order on the path to “V2”, where the relationship isn't ordered.")
    #expect(try found("{ acceptedLosses: [\"Note.tags\"] }").filter { $0.contains("Note.tags") } == [])
  }

  @Test func aRenameOrAMappingModelDropsNothing() throws {
    #expect(try report([("M 1", note("a")), ("M 2", note("b<a"))]).findings == [])
  }
}
