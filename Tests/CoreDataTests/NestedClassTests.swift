import CoreData
import DecantPolicies
import Testing

enum Migraciones {
  final class PoliticaInterior: NSEntityMigrationPolicy {}
}

@Suite("Classes within other types") struct NestedClassTests {
  @Test(
    "a registered class is found by each name that a mapping model may use for it",
    arguments: [
      "PoliticaInterior", ".PoliticaInterior", "Notas.PoliticaInterior", "Notas.Migraciones.PoliticaInterior",
    ])
  func names(_ name: String) {
    var registry = PolicyRegistry()
    registry.add(Migraciones.PoliticaInterior.self)
    #expect(registry.policy(named: name) == Migraciones.PoliticaInterior.self)
    #expect(registry.policy(named: "\(name)2") == nil)
  }
}
