import DecantMigration
import DecantModel
import DecantPolicies
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

/// A temporary folder with the example's catalogue, the test's mapping model and a store of the first version.
struct NotasShop {
  let folder: TemporaryFolder

  /// - Parameters:
  ///   - policy: The policy class for the notes; with `nil` the catalogue keeps the example's own mapping model.
  ///   - further: Further keys of the entity mapping.
  ///   - family: The text of `family.json5`; with `nil` the catalogue keeps the example's.
  ///   - rows: The text and the category of each note.
  init(
    policy: String? = nil, further: String = "", family: String? = nil,
    rows: [(texto: String?, categoria: String?)] = [
      ("a", "casa"), ("b", nil), ("c", "calle"), (nil, "casa"), ("e", "casa"),
    ]
  ) throws {
    folder = try TemporaryFolder("decant-coredata")
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("config/examples/policies"), to: catalogue)
    if let policy {
      try folder.write(
        "{ source: 'Notas', destination: 'Notas 2', entityMappings: [ { name: 'NotaToNota', source: 'Nota', "
          + "destination: 'Nota', policy: '\(policy)', \(further) } ] }", to: "Models/Notas/Notas.mapping.json5"
      )
    }
    if let family { try folder.write(family, to: "Models/Notas/family.json5") }
    try makeStore(rows)
  }

  var catalogue: URL { folder.url.appendingPathComponent("Models") }
  var source: URL { folder.url.appendingPathComponent("in/Store.sqlite") }
  var output: URL { folder.url.appendingPathComponent("out/Store.sqlite") }

  func bundle(_ version: String) -> URL {
    catalogue.appendingPathComponent("Notas/Notas.xcdatamodeld/\(version).xcdatamodel")
  }

  func model(_ version: String) throws -> ManagedObjectModel {
    try ModelBundle.read(at: bundle(version)).currentVersion().model
  }

  private func makeStore(_ rows: [(texto: String?, categoria: String?)]) throws {
    for url in [source, output] {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    let layout = try StoreLayout(try model("Notas"), framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: source.path, layout: layout)
    let insert = try store.database.prepare(
      "INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO, ZCATEGORIA, ZORDEN, ZFECHA) VALUES (?, 1, 1, ?, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      try insert.run([
        .integer(Int64(index + 1)), row.texto.map { .text($0) } ?? .null,
        row.categoria.map { .text($0) } ?? .null,
        .integer(Int64(index + 1)), .real(Double(index) * 10),
      ])
    }
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(
      metadata: StoreMetadata(uuid: "0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D", entries: ["MyKey": .string("kept")])
        .updated(for: layout.model, framework: layout.framework), maxima: [:], usesWriteAheadLog: false)
  }

  func job(_ registry: PolicyRegistry = PolicyRegistry(), chunkSize: Int? = nil) -> MigrationJob {
    MigrationJob(
      source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
      catalogue: catalogue, chunkSize: chunkSize, policies: registry)
  }

  /// Runs the job in this process and returns the lines of the result.
  func run(_ registry: PolicyRegistry, chunkSize: Int? = nil) throws -> [String] {
    let before = try Data(contentsOf: source)
    _ = try Migration.run(job(registry, chunkSize: chunkSize))
    #expect(try Data(contentsOf: source) == before, "the source changed")
    return try lines()
  }

  /// The notes of a result as `texto orden titulo momento [categories]`, and one line with all categories.
  func lines(of file: URL? = nil) throws -> [String] {
    let database = try SQLiteDatabase((file ?? output).path, mode: .immutable)
    let join = try #require(
      try database.rows(
        "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__%' ESCAPE '\\' AND type = 'table'"
      )
      .compactMap { if case .text(let name)? = $0.first { name } else { nil } }
      .first { $0.contains("CATEGORIAS") || $0.contains("NOTAS") })
    let columns = try database.rows("SELECT name FROM pragma_table_info('\(join)')").compactMap {
      if case .text(let name)? = $0.first { name } else { nil }
    }
    let nota = try #require(columns.first { $0.contains("NOTAS") })
    let categoria = try #require(columns.first { $0.contains("CATEGORIAS") })
    let rows = try database.rows(
      """
      SELECT n.ZTEXTO, n.ZORDEN, n.ZTITULO, n.ZMOMENTO,
        (SELECT group_concat(t, ',') FROM (SELECT c.ZNOMBRE AS t FROM "\(join)" AS j JOIN ZCATEGORIA AS c
          ON c.Z_PK = j."\(categoria)" WHERE j."\(nota)" = n.Z_PK ORDER BY 1))
      FROM ZNOTA AS n ORDER BY n.Z_PK
      """)
    let categories = try database.rows("SELECT ZNOMBRE FROM ZCATEGORIA ORDER BY ZNOMBRE").map { words($0[0]) }
    return rows.map { row in
      "\(words(row[0])) \(words(row[1])) \(words(row[2])) \(words(row[3])) [\(words(row[4]))]"
    } + ["categories " + categories.joined(separator: ",")]
  }

  private func words(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number): "\(Int(number))"
    case .text(let text): text
    case .blob: "blob"
    }
  }
}
