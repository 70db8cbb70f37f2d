import CatalogueSupport
import Testing

@testable import DecantMigration

@Suite("Checks: the order of versions") struct VersionOrderCheckTests {
  @Test func aSuspicionIsAWarningOfTheCheckAndNoRefusal() throws {
    try CatalogueFolder.with { folder in
      try folder.write([("Alpha", note("new<old"))], bundle: "Notas/One.xcdatamodeld")
      try folder.write([("Omega", note("old"))], bundle: "Notas/Two.xcdatamodeld")
      try folder.write([("Omega", note("old")), ("Zeta", note("old", "z"))], bundle: "Notas/Two.xcdatamodeld")
      try folder.writeCurrent("Omega", bundle: "Notas/Two.xcdatamodeld")
      let report = try #require(try CatalogueCheck.report(at: folder.url).families.first)
      #expect(!report.findings.contains { $0.message.contains("are refused") })
    }
  }
}
