import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

@Suite("Kept associations") struct AssociationKeepingTests {
  private static let uuid = Workshop.uuid

  private func keep(_ shop: Workshop, to target: String? = nil, chunkSize: Int? = nil) throws -> URL {
    var job = shop.job(to: target, chunkSize: chunkSize)
    job.keepsAssociations = true
    let report = try Migration.run(job)
    #expect(report.associations == "Store.associations.sqlite")
    return KeptAssociations.place(beside: shop.output)
  }

  @Test func aStepLeavesItsMappingsRunsAndURIs() throws {
    let fixture = try MappedFixture()
    let file = try keep(fixture.shop, chunkSize: 4)
    #expect(
      try PlainSQLite.rows(
        file,
        "SELECT step, mapping, pass, pass_name, name, source_entity, destination_entity, way, policy FROM mappings"
      )
        == [
          "1|1|1|First|Kinds|Note|Kind|set|nil", "1|2|1|First|NoteToNote|Note|Note|set|nil",
          "1|3|1|First|PageToPage|Page|Page|set|nil", "1|4|2|Second|TagToTag|Tag|Tag|set|nil",
        ])
    #expect(
      try PlainSQLite.rows(file, "SELECT step, source_version, destination_version FROM steps") == ["1|V1|V2"])
    #expect(try PlainSQLite.rows(file, "SELECT sum(length) FROM runs WHERE mapping = 3") == ["5"])
    #expect(
      try PlainSQLite.rows(
        file, "SELECT source_uri, destination_uri FROM uris WHERE mapping = 'Kinds' ORDER BY source_uri LIMIT 2"
      ) == [
        "x-coredata://\(Self.uuid)/Note/p10|x-coredata://\(Self.uuid)/Kind/p1",
        "x-coredata://\(Self.uuid)/Note/p12|x-coredata://\(Self.uuid)/Kind/p2",
      ])
    #expect(try PlainSQLite.rows(file, "SELECT count(*) FROM associations") == ["28"])
    #expect(
      try PlainSQLite.rows(file, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY 1")
        == [
          "associations", "file", "mappings", "pairs", "runs", "shared", "steps", "uris",
        ])
  }

  private static func chain() throws -> Workshop {
    let shop = try Workshop(
      "Nota\n texto String?\n categoria String?\nOtra\n n Int64?",
      "Apunte was Nota\n texto String?\n categoria String?",
      "Apunte\n texto String?\n categorias ->> Categoria.apuntes\nCategoria\n nombre String?\n apuntes ->> Apunte.categorias",
      "Hoja was Apunte\n texto String?\n categorias ->> Categoria.apuntes\nCategoria\n nombre String?\n apuntes ->> Hoja.categorias",
      family: "{ path: [\"V1\", \"V2\", \"V3\", \"V4\"], keepAssociations: true }")
    try shop.map(
      from: "V2", to: "V3",
      """
      { name: "Categorias", source: "Apunte", destination: "Categoria", uniqueBy: "$source.categoria",
        attributes: { nombre: "$source.categoria" } },
      { source: "Apunte", destination: "Apunte", filter: "texto != 'no'",
        relationships: { categorias: { path: "$source", mapping: "Categorias" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO, ZCATEGORIA) VALUES (3, 1, 1, 'a', 'x'), (4, 1, 1, 'no', 'y'),
        (5, 1, 1, 'b', 'y'), (6, 1, 1, 'c', 'x'), (9, 1, 1, 'd', NULL);
      INSERT INTO ZOTRA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      """)
    return shop
  }

  @Test func aChainLeadsFromItsFirstSourceToItsLastDestination() throws {
    let shop = try Self.chain()
    let report = try Migration.run(shop.job(chunkSize: 2))
    #expect(report.steps.count == 3 && report.associations == "Store.associations.sqlite")
    let file = KeptAssociations.place(beside: shop.output)
    #expect(
      try PlainSQLite.rows(file, "SELECT step, source_version, destination_version FROM steps") == [
        "0|V1|V4", "1|V1|V2", "2|V2|V3", "3|V3|V4",
      ])
    #expect(
      try PlainSQLite.rows(
        file,
        "SELECT mapping, source_entity, source_key, destination_entity, destination_key FROM associations ORDER BY 4, 3"
      )
        == [
          "NotaToApunte → Categorias → CategoriaToCategoria|Nota|3|Categoria|1",
          "NotaToApunte → Categorias → CategoriaToCategoria|Nota|4|Categoria|2",
          "NotaToApunte → Categorias → CategoriaToCategoria|Nota|5|Categoria|2",
          "NotaToApunte → Categorias → CategoriaToCategoria|Nota|6|Categoria|1",
          "NotaToApunte → ApunteToApunte → ApunteToHoja|Nota|3|Hoja|3",
          "NotaToApunte → ApunteToApunte → ApunteToHoja|Nota|5|Hoja|5",
          "NotaToApunte → ApunteToApunte → ApunteToHoja|Nota|6|Hoja|6",
          "NotaToApunte → ApunteToApunte → ApunteToHoja|Nota|9|Hoja|9",
        ])
    let verification = try shop.verify()
    #expect(verification.isEqual, "\(verification)")
    #expect(verification.way?.steps.map(\.means) == [.inferred, .associations, .inferred])
  }

  @Test func aRunStoppedAnywhereKeepsTheSameAssociations() throws {
    let shop = try Self.chain()
    let counter = Stopper(after: .max)
    var job = shop.job(chunkSize: 2)
    job.claimedAt = Date(timeIntervalSinceReferenceDate: 1000)
    _ = try Migration.run(job, shouldStop: counter.shouldStop)
    let expected = try PlainSQLite.dump(KeptAssociations.place(beside: shop.output))
    #expect(expected.count > 30 && counter.calls > 20)
    for limit in stride(from: 0, to: counter.calls, by: 3) {
      let shop = try Self.chain()
      var job = shop.job(chunkSize: 2)
      job.claimedAt = Date(timeIntervalSinceReferenceDate: 1000)
      let stopper = Stopper(after: limit)
      #expect(throws: MigrationFailure.self) { try Migration.run(job, shouldStop: stopper.shouldStop) }
      let file = KeptAssociations.place(beside: shop.output)
      #expect(!FileManager.default.fileExists(atPath: file.path))
      job.claimedAt = Date(timeIntervalSinceReferenceDate: 2000)
      if limit == 0 { job.claimedAt = Date(timeIntervalSinceReferenceDate: 1000) }
      _ = try Migration.run(job)
      let found = try PlainSQLite.dump(file)
      #expect(
        found.filter { !$0.hasPrefix("steps") } == expected.filter { !$0.hasPrefix("steps") }, "after \(limit)")
    }
  }

  @Test func aStoreThatCouldNotFollowItsAssociationsGoesOnLater() throws {
    let shop = try Self.chain()
    let file = KeptAssociations.place(beside: shop.output)
    // A folder in the store's place makes the delivery of the store fail.
    try FileManager.default.createDirectory(
      at: shop.output.appendingPathComponent("x"), withIntermediateDirectories: true)
    #expect(throws: MigrationFailure.self) { try Migration.run(shop.job(chunkSize: 2)) }
    let first = try PlainSQLite.dump(file)
    try FileManager.default.removeItem(at: shop.output)
    let report = try Migration.run(shop.job(chunkSize: 2))
    #expect(report.steps.allSatisfy { $0.chunks == 0 }, "everything was done")
    #expect(try PlainSQLite.dump(file) == first)
    #expect(try shop.verify().isEqual)
  }

  @Test func askedForOnlyLaterTheStepIsMadeAnew() throws {
    let fixture = try MappedFixture()
    var job = fixture.shop.job()
    job.keepsAssociations = false
    try FileManager.default.createDirectory(
      at: job.output.appendingPathComponent("x"), withIntermediateDirectories: true)
    #expect(throws: MigrationFailure.self) { try Migration.run(job) }
    try FileManager.default.removeItem(at: job.output)
    job.keepsAssociations = true
    let report = try Migration.run(job)
    #expect(report.steps[0].chunks > 0)
    #expect(try fixture.shop.verify().isEqual)
  }

  @Test func withoutBeingAskedNothingIsKept() throws {
    let shop = try Workshop("Note\n text String?", "Note\n body String? was text")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a')")
    let result = try shop.migrate()
    #expect(result.report.associations == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path)
        .allSatisfy { $0.hasPrefix("Store.sqlite") })
  }

  @Test("the queries of docs/associations.md run, and replace stored URIs")
  func documentation() throws {
    let page = try Repository.text("docs/associations.md")
    let queries = page.components(separatedBy: "```sql\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(queries.count >= 4)
    let shop = try Self.chain()
    _ = try Migration.run(shop.job())
    let file = KeptAssociations.place(beside: shop.output)
    for query in queries {
      let rows = try PlainSQLite.rows(
        file,
        "CREATE TEMP TABLE bookmarks (uri TEXT); INSERT INTO bookmarks VALUES ('x-coredata://\(Self.uuid)/Nota/p5'), "
          + "('x-coredata://\(Self.uuid)/Otra/p1'); \(query); SELECT group_concat(uri, ' ') FROM bookmarks")
      #expect(rows.count > 1 || query.contains("UPDATE"), "\(query)")
      guard query.contains("UPDATE") else { continue }
      #expect(
        rows.last == "x-coredata://\(Self.uuid)/Hoja/p5 x-coredata://\(Self.uuid)/Otra/p1", "\(query)")
    }
  }
}
