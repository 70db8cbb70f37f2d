import DecantModel
import Foundation
import Testing

@testable import DecantMigration

@Suite("What the check says of inferred steps that drop something") struct DropCheckTests {
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
    #expect(found == ["“Note.b” is dropped on the way to “M 6” from “M 1” to “M 5” (5 versions)."])
  }

  @Test func anEntityAndAProbableRenameAreNamed() throws {
    let found = try warnings(
      report([
        ("M 1", note("old") + note("x", named: "Gone")), ("M 2", note("new")),
      ]))
    #expect(
      found == [
        "Entity “Gone” is dropped on the way to “M 2” from “M 1”.",
        "“Note.old” is dropped on the way to “M 2” from “M 1”. Probably “new” is its new name: state that by a renaming "
          + "identifier or in “renames”.",
      ])
  }

  @Test func whatIsAcceptedIsNoWarning() throws {
    let versions = [("M 1", note("a", "b")), ("M 2", note("a"))]
    #expect(try warnings(report(versions)).count == 1)
    let accepted = try report(versions, settings: "{ acceptedLosses: [\"Note.b\"] }")
    #expect(accepted.findings == [])
  }

  @Test func aRenameOrAMappingModelDropsNothing() throws {
    #expect(try report([("M 1", note("a")), ("M 2", note("b<a"))]).findings == [])
  }
}
