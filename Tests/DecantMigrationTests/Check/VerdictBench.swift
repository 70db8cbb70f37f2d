import DecantMapping
import DecantSQLite
import DecantStore
import Foundation

@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

/// One small store, to compare a check's findings about expressions with the results of migrations.
///
/// A migration refuses mapping models with errors before it reads a row. Here steps run without that check, over sets
/// of rows and row by row.
struct VerdictBench {
  /// The findings about an entity mapping, and the result of its migration.
  struct Verdict {
    /// The check's errors and warnings.
    let errors: [String]
    let warnings: [String]
    /// Why a run over sets of rows refused the rows; `nil` if it migrated them.
    let refusal: String?
    /// Why a run row by row refused the rows; `nil` if it migrated them.
    let refusalByRows: String?
  }

  private let shop: Workshop
  private let prepared: PreparedJob

  init() throws {
    shop = try Workshop(
      """
      Nota
        texto String?
        otro String?
        numeral String?
        momento Date?
        grado Int16?
        grande Int64?
        flag Bool?
        precio Decimal?
        doble Double?
        id UUID?
        web URI?
        datos Binary?
        cosa Transformable?
        fugaz String? transient
        autor -> Persona.notas
        marcas ->> Marca.notas
        lista ->> Marca.listas ordered
        forma -> Forma.notas
      Persona
        nombre String?
        nacido Date?
        edad Int16?
        notas ->> Nota.autor
      Marca
        palabra String?
        peso Double?
        desde Date?
        notas ->> Nota.marcas
        listas ->> Nota.lista
      Forma*
        notas ->> Nota.forma
      Disco < Forma
        medida Double?
        radio Double?
      Nombre < Forma
        medida String?
      """,
      """
      Nota
        texto String?
        momento Date?
        grado Int16?
        grande Int64?
        flag Bool?
        precio Decimal?
        doble Double?
        id UUID?
        web URI?
        datos Binary?
        cosa Transformable?
        autor -> Persona.notas
        marcas ->> Marca.notas
      Persona
        nombre String?
        notas ->> Nota.autor
      Marca
        palabra String?
        notas ->> Nota.marcas
      """)
    try shop.map(
      "{ source: \"Nota\", destination: \"Nota\" }, { remove: \"Persona\" }, { remove: \"Marca\" }, { remove: \"Disco\" },"
        + " { remove: \"Nombre\" }")
    let join = try shop.model("V1")
    let layout = try StoreLayout(join, framework: .current)
    func number(_ entity: String) -> Int { layout.entityNumbers[entity] ?? 0 }
    func pairs(_ name: String, _ entity: String) -> String {
      guard let stored = RelationshipStorage(of: name, entity: entity, in: layout) else { return "" }
      let order = stored.order.map { ", \(quoted($0))" } ?? ""
      let rows = [(1, 1), (1, 2), (2, 2)].map { "(\($0), \($1)\(stored.order == nil ? "" : ", \($1)"))" }
      return
        "INSERT INTO \(quoted(stored.table)) (\(quoted(stored.owner)), \(quoted(stored.target))\(order)) VALUES "
        + "\(rows.joined(separator: ", "));"
    }
    let bytes = "x'62706c697374'"
    try shop.makeStore(
      """
      INSERT INTO ZPERSONA (Z_PK, Z_ENT, Z_OPT, ZNOMBRE, ZNACIDO, ZEDAD) VALUES
        (1, \(number("Persona")), 1, 'Ana', 1.5, 40), (2, \(number("Persona")), 1, 'Bo', 2.5, 50);
      INSERT INTO ZMARCA (Z_PK, Z_ENT, Z_OPT, ZPALABRA, ZPESO, ZDESDE) VALUES
        (1, \(number("Marca")), 1, 'rojo', 1.5, 3.5), (2, \(number("Marca")), 1, 'azul', 2.5, 4.5);
      INSERT INTO ZFORMA (Z_PK, Z_ENT, Z_OPT, ZMEDIDA, ZRADIO) VALUES
        (1, \(number("Disco")), 1, 3.5, 1.5), (2, \(number("Disco")), 1, 4.5, 2.5);
      INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZTEXTO, ZOTRO, ZNUMERAL, ZMOMENTO, ZGRADO, ZGRANDE, ZFLAG, ZPRECIO, ZDOBLE,
        ZID, ZWEB, ZDATOS, ZCOSA, ZAUTOR, ZFORMA) VALUES
        (1, \(number("Nota")), 1, 'uno', 'un', '1', 10.5, 1, 100, 1, 1.5, 2.25, x'3F2504E04F8911D39A0C0305E82C3301',
          'http://a', \(bytes), \(bytes), 1, 1),
        (2, \(number("Nota")), 1, 'dos', 'do', '2', 20.5, 2, 200, 0, 2.5, 4.25, x'3F2504E04F8911D39A0C0305E82C3302',
          'http://b', \(bytes), \(bytes), 2, 2);
      \(pairs("marcas", "Nota")) \(pairs("lista", "Nota"))
      """)
    prepared = try JobPreparation(job: shop.job()).prepare()
  }

  /// Writes a mapping model whose entity mapping of `Nota` has these keys.
  ///
  /// Returns its file.
  private func write(_ keys: String) throws -> URL {
    try shop.folder.write(
      """
      { name: "Step", source: "V1", destination: "V2", entityMappings: [
        { source: "Persona", destination: "Persona" }, { source: "Marca", destination: "Marca" },
        { name: "N", source: "Nota", destination: "Nota", \(keys) }] }
      """, to: "asked/Step.mapping.json5")
  }

  /// - Parameter keys: Keys of the text of the entity mapping of `Nota`.
  func verdict(_ keys: String) throws -> Verdict {
    let reading = try MappingModelReading.read(at: try write(keys))
    let (source, destination) = (prepared.source.model, prepared.target.model)
    let model = try reading.compiled(from: source, to: destination)
    let findings = MappingCheck.findings(in: model, from: source, to: destination, reading: reading)
    func words(_ severity: MappingFinding.Severity) -> [String] {
      findings.filter { $0.severity == severity }.map { "\($0.problem). \($0.advice)." }
    }
    return Verdict(
      errors: words(.error), warnings: words(.warning), refusal: try refusal(of: model, byRows: false),
      refusalByRows: try refusal(of: model, byRows: true))
  }

  /// Runs the step without checking the mapping model.
  ///
  /// Returns the refusal, or `nil`.
  private func refusal(of model: MappingModel, byRows: Bool) throws -> String? {
    let place = shop.folder.url.appendingPathComponent("runs/\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    var job = shop.job()
    job.output = place.appendingPathComponent("Store.sqlite")
    job.workFolder = place.appendingPathComponent("work")
    job.keepsAssociations = false
    job.goesByRows = byRows
    let planned = prepared.steps[0]
    let path = PlannedPath([
      PlannedStep(
        from: planned.source, to: planned.destination, work: .passes([model]),
        sourceLayout: planned.sourceLayout, destinationLayout: planned.destinationLayout,
        place: .init(goesByRows: byRows))
    ])
    let own = PreparedJob(
      job: job, family: prepared.family, store: prepared.store, sourceLayout: prepared.sourceLayout,
      source: prepared.source, target: prepared.target, path: path, modelCache: prepared.modelCache,
      history: prepared.history, plan: prepared.plan, ways: [nil])
    let report = MigrationReport(
      result: .migrated, store: "", family: "", sourceVersion: "", targetVersion: "", decantVersion: "")
    do {
      try JobQuestions(
        preparation: JobPreparation(job: job), family: prepared.family, source: prepared.source,
        target: prepared.target, store: prepared.store, sourceLayout: prepared.sourceLayout, path: path
      ).checkChunks()
      _ = try JobRun(own, shouldStop: { false }, progress: { _ in }, report: { _, _, _ in report }).run()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
