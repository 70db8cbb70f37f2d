import CatalogueSupport
import DecantModel
import Foundation
import Testing

@testable import DecantMigration

@Suite("Versions that several families have in common") struct SharedVersionCheckTests {
  private func warnings(_ body: (CatalogueFolder) throws -> Void) throws -> [String: [String]] {
    try CatalogueFolder.with { folder in
      try body(folder)
      let families = try CatalogueCheck.report(at: folder.url).families
      return Dictionary(
        uniqueKeysWithValues: families.map { report in
          (
            report.name,
            report.findings.filter { $0.severity == .warning && $0.message.contains("in common") }.map(
              \.message)
          )
        })
    }
  }

  private static let advice =
    ". Such stores are refused (ambiguous-family) unless the family is named: with --family, or as “family” in the request "
    + "file of a drop. Or keep such a version in one of the families only."

  @Test func oneWarningNamesTheFamiliesAndTheirVersions() throws {
    let warnings = try warnings { folder in
      try folder.write([("A", note("a")), ("B", note("b")), ("C", note("c"))], bundle: "Otra/O.xcdatamodeld")
      try folder.write([("A", note("a")), ("X", note("b")), ("D", note("d"))], bundle: "Notas/N.xcdatamodeld")
      try folder.write([("E", note("e"))], bundle: "Sola/S.xcdatamodeld")
    }
    #expect(
      warnings == [
        "Notas": [
          "The families “Notas” and “Otra” have versions in common: “A”; “X” of “Notas” and “B” of “Otra”"
            + Self.advice
        ], "Otra": [], "Sola": [],
      ])
  }

  @Test func brokenFamiliesAndConfigurationsCount() throws {
    let broken = try warnings { folder in
      for family in ["Rota", "Sana"] {
        try folder.write([("A", note("a"))], bundle: "\(family)/N.xcdatamodeld")
      }
      try folder.write("{ x: 1 }", to: "Rota/family.json5")
    }
    #expect(broken["Rota"] == ["The families “Rota” and “Sana” have a version in common: “A”" + Self.advice])
    let parts = try warnings { folder in
      for (family, other) in ["Una": "x", "Otra": "y"] {
        try folder.write(
          note("a") + note(other, named: "Tag"), configurations: [("Cloud", ["Note"])], named: "A",
          bundle: "\(family)/N.xcdatamodeld")
      }
    }
    #expect(
      parts["Otra"] == [
        "The families “Otra” and “Una” have a version in common: “A, configuration Cloud”" + Self.advice
      ])
  }

  /// A store that has all hashes of a version belongs to that version's family.
  ///
  /// A configuration with the same hashes in another family changes nothing.
  @Test func whatRecognitionDecidesIsNoWarning() throws {
    let warnings = try warnings { folder in
      try folder.write([("A", note("a"))], bundle: "Entera/N.xcdatamodeld")
      try folder.write(
        note("a") + note("x", named: "Tag"), configurations: [("Cloud", ["Note"])], named: "A",
        bundle: "Parte/N.xcdatamodeld")
    }
    #expect(warnings == ["Entera": [], "Parte": []])
  }
}
