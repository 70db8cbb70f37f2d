import CatalogueSupport
import DecantCatalogue
import Foundation
import Testing

@testable import DecantMigration

@Suite("The check of a model bundle given alone") struct BundleAloneCheckTests {
  @Test func itNamesWhatLiesBesideTheBundleAndCounts() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("A", note("a")), ("B", note("b"))], bundle: "Notas.xcdatamodeld")
      try folder.write(
        "{ source: \"A\", destination: \"B\", entityMappings: [{ source: \"Note\", "
          + "destination: \"Note\", attributes: { b: \"$source.a\" } }] }", to: "Step.mapping.json5")
      try folder.write("{ dataLoss: \"refuse\" }", to: "family.json5")
      try folder.write("x", to: "reference/A.sqlite")
      try folder.write("let x = 1", to: "Source.swift")
      let bundle = folder.url.appendingPathComponent("Notas.xcdatamodeld")
      let family = try #require(try Catalogue.read(at: bundle).families.first)
      let report = try #require(try CatalogueCheck.report(at: bundle).families.first)
      #expect(report.versions.first?.steps.first?.mappingModels == ["Step"])
      #expect(
        report.findings.map(\.message) == family.notes && !family.notes.isEmpty && report.unusedFiles.isEmpty)
    }
  }
}
