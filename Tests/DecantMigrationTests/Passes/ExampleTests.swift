import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// Typical migrations of apps, by mapping models as text without policies.
@Suite("Mapping models: examples in text") struct ExampleTests {
  /// Notes with a category as text, which becomes an entity.
  @Test(arguments: [nil, 2])
  func categoriesBecomeAnEntity(size: Int?) throws {
    let shop = try Workshop(
      "Nota\n contenido String?\n categoria String?\n fecha Date?",
      "Nota\n contenido String?\n categoria String?\n momento Date? was fecha",
      """
      Nota
        contenido String?
        momento Date?
        categorias ->> Categoria.notas
      Categoria
        nombre String
        notas ->> Nota.categorias
      """)
    try shop.map(
      from: "V2", to: "V3",
      """
      { name: "NotaToCategoria", source: "Nota", destination: "Categoria",
        filter: "categoria != nil", uniqueBy: "$source.categoria",
        attributes: { nombre: "$source.categoria" } },
      { name: "NotaToNota", source: "Nota", destination: "Nota",
        chunks: { size: 5000 },
        relationships: {
          categorias: "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NotaToCategoria', $source)" } }
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZCONTENIDO, ZCATEGORIA, ZFECHA) VALUES
        (1, 1, 1, 'pan', 'compras', 10.5), (2, 1, 3, 'leche', 'compras', 20), (3, 1, 1, 'idea', NULL, NULL),
        (4, 1, 1, 'viaje', 'montan' || char(771) || 'a', 0), (5, 1, 1, 'valle', 'monta' || char(241) || 'a', 1),
        (6, 1, 1, 'pico', 'montan' || char(771) || 'a', 2);
      """)
    let result = try shop.migrate(chunkSize: size)
    #expect(result.report.steps.map(\.destinationVersion) == ["V2", "V3"])
    #expect(
      result.lines == [
        "Categoria#1 nombre='compras' notas=[Nota#1 Nota#2]",
        "Categoria#2 nombre='montan\u{303}a' notas=[Nota#4 Nota#6]",
        "Categoria#3 nombre='monta\u{f1}a' notas=[Nota#5]",
        "Nota#1 contenido='pan' momento=10.5 categorias=[Categoria#1]",
        "Nota#2 contenido='leche' momento=20 categorias=[Categoria#1]", "Nota#3 contenido='idea'",
        "Nota#4 contenido='viaje' momento=0 categorias=[Categoria#2]",
        "Nota#5 contenido='valle' momento=1 categorias=[Categoria#3]",
        "Nota#6 contenido='pico' momento=2 categorias=[Categoria#2]",
      ])
    let names = try result.store.store.rows("SELECT ZNOMBRE FROM ZCATEGORIA ORDER BY Z_PK").map {
      LogicalStore.text($0[0])
    }
    #expect(
      names.map { Array($0.utf8) }
        == ["'compras'", "'montan\u{303}a'", "'monta\u{f1}a'"].map { Array($0.utf8) })
  }

  private static let events = "Event\n timeStamp Date?"
  private static let steps =
    "StepOne\n timeStamp Date?\n two -> StepTwo.one\nStepTwo\n seconds Double?\n one -> StepOne.two"

  @Test func eventsBecomeTwoEntitiesInTwoPasses() throws {
    let shop = try Workshop(Self.events, Self.steps)
    try shop.map("One", "{ source: \"Event\", destination: \"StepOne\" }", further: "order: 1,")
    try shop.map(
      "Two",
      """
      { source: "Event", destination: "StepTwo",
        attributes: { seconds: "CAST($source.timeStamp, 'NSNumber') + 978307200" },
        relationships: { one: { path: "$source", mapping: "EventToStepOne" } } }
      """, further: "order: 2,")
    try shop.makeStore(
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 1, 1, 0.5), (2, 1, 1, NULL), (5, 1, 1, -978307200)"
    )
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "StepOne#1 timeStamp=0.5 two=StepTwo#1", "StepOne#2 two=StepTwo#2",
        "StepOne#5 timeStamp=-978307200 two=StepTwo#5",
        "StepTwo#1 seconds=978307200.5 one=StepOne#1", "StepTwo#2 one=StepOne#2",
        "StepTwo#5 seconds=0.0 one=StepOne#5",
      ])
  }

  @Test func theSameEventsCutIntoRangesByFilters() throws {
    let shop = try Workshop(Self.events, Self.steps)
    let ranges = [
      "timeStamp < CAST(0, 'NSDate')", "timeStamp >= CAST(0, 'NSDate') AND timeStamp < CAST(100, 'NSDate')",
      "timeStamp >= CAST(100, 'NSDate')",
    ]
    for (index, range) in ranges.enumerated() {
      try shop.map(
        "Range\(index + 1)",
        """
        { source: "Event", destination: "StepOne", filter: "\(range)" },
        { source: "Event", destination: "StepTwo", filter: "\(range)",
          attributes: { seconds: "CAST($source.timeStamp, 'NSNumber')" },
          relationships: { one: { path: "$source", mapping: "EventToStepOne" } } },
        """, further: "order: \(index + 1),")
    }
    try shop.makeStore(
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 1, 1, 5), (2, 1, 1, -1), (3, 1, 1, 100), (4, 1, 1, NULL), (5, 1, 1, -7)"
    )
    let result = try shop.migrate(chunkSize: 2)
    #expect(
      result.lines == [
        "StepOne#2 timeStamp=-1 two=StepTwo#2", "StepOne#5 timeStamp=-7 two=StepTwo#5",
        "StepOne#6 timeStamp=5 two=StepTwo#6", "StepOne#7 timeStamp=100 two=StepTwo#7",
        "StepTwo#2 seconds=-1.0 one=StepOne#2",
        "StepTwo#5 seconds=-7.0 one=StepOne#5", "StepTwo#6 seconds=5.0 one=StepOne#6",
        "StepTwo#7 seconds=100.0 one=StepOne#7",
      ])
    #expect(
      result.accounts == [
        "EventToStepOne 5 = 2 + 3", "EventToStepTwo 5 = 2 + 3", "EventToStepOne 5 = 1 + 4",
        "EventToStepTwo 5 = 1 + 4",
        "EventToStepOne 5 = 1 + 4", "EventToStepTwo 5 = 1 + 4",
      ])
  }
}
