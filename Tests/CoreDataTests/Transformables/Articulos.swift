import CoreData
import DecantMigration
import DecantModel
import DecantPolicies
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import KeyedArchive
import Testing

/// The catalogue of an app whose model has transformable attributes, and a store of the first version.
struct Articulos {
  let folder: TemporaryFolder

  private static let common = """
    <attribute name="titulo" optional="YES" attributeType="String"/>
    <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="ColorTransformer"
      customClassName="Tono"/>
    <attribute name="ficha" optional="YES" attributeType="Transformable"/>
    <attribute name="portada" optional="YES" attributeType="Transformable" valueTransformerName="PortadaTransformer"/>
    <attribute name="ajeno" optional="YES" attributeType="Transformable" valueTransformerName="OtroTransformer"/>
    """

  private static let versions = [
    """
    <attribute name="autor" optional="YES" attributeType="String"/>
    <attribute name="etiquetas" optional="YES" attributeType="Transformable"
      valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
    """,
    """
    <attribute name="autores" optional="YES" attributeType="Transformable"
      valueTransformerName="NSSecureUnarchiveFromData" customClassName="NSArray"/>
    <attribute name="resumen" optional="YES" attributeType="String"/>
    """,
  ]

  /// One article: its columns, or nil for NULL.
  struct Row {
    var titulo: String? = "Uno"
    var autor: String? = "Ana y Luis"
    var etiquetas: Data? = Articulos.list("mar", "sol")
    var ficha: Data?
    var color: Data? = Data([255, 0, 16])
    var portada: Data? = Articulos.cover()
    var ajeno: Data?
  }

  /// - Parameter mapping: Keys of the entity mapping.
  init(policy: String, _ rows: [Row] = [Row()], mapping: String = "") throws {
    folder = try TemporaryFolder("decant-transformables")
    for (index, own) in Self.versions.enumerated() {
      try folder.write(
        "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Articulo\">"
          + Self.common + own + "</entity></model>",
        to: "Models/Articulos/Articulos.xcdatamodeld/A\(index + 1).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>A2.xcdatamodel</string></dict></plist>
      """, to: "Models/Articulos/Articulos.xcdatamodeld/.xccurrentversion")
    try folder.write(
      "{ source: 'A1', destination: 'A2', entityMappings: [ { name: 'Articulos', source: 'Articulo', "
        + "destination: 'Articulo', policy: '\(policy)', \(mapping) } ] }",
      to: "Models/Articulos/Articulos.mapping.json5")
    for url in [source, output] {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    try makeStore(rows)
  }

  var source: URL { folder.url.appendingPathComponent("in/Store.sqlite") }
  var output: URL { folder.url.appendingPathComponent("out/Store.sqlite") }
  var catalogue: URL { folder.url.appendingPathComponent("Models") }

  private func bundle(_ version: Int) -> URL {
    catalogue.appendingPathComponent("Articulos/Articulos.xcdatamodeld/A\(version).xcdatamodel")
  }

  func model(_ version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.model(at: bundle(version))
  }

  private func makeStore(_ rows: [Row]) throws {
    let layout = try StoreLayout(
      try ModelBundle.read(at: bundle(1)).currentVersion().model, framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: source.path, layout: layout)
    let insert = try store.database.prepare(
      "INSERT INTO ZARTICULO (Z_PK, Z_ENT, Z_OPT, ZTITULO, ZAUTOR, ZETIQUETAS, ZFICHA, ZCOLOR, ZPORTADA, ZAJENO) "
        + "VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      let blobs = [row.etiquetas, row.ficha, row.color, row.portada, row.ajeno]
      try insert.run(
        [
          .integer(Int64(index + 1)), row.titulo.map { .text($0) } ?? .null,
          row.autor.map { .text($0) } ?? .null,
        ] + blobs.map { $0.map { .blob($0) } ?? .null })
    }
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(
      metadata: StoreMetadata(uuid: "4D0A0E36-9F3B-4B57-8C62-2F1D5B7A9C10", entries: [:])
        .updated(for: layout.model, framework: layout.framework), maxima: [:], usesWriteAheadLog: false)
  }

  // MARK: Archives

  static func list(_ texts: String...) -> Data {
    var writer = ArchiveWriter()
    let root = writer.array(texts.map { writer.text($0) })
    return writer.data(root: root)
  }

  static func dictionary(_ entries: [(String, String)]) -> Data {
    var writer = ArchiveWriter()
    let root = writer.dictionary(entries.map { ($0.0, writer.text($0.1)) })
    return writer.data(root: root)
  }

  /// The archive of a `Portada`, under the class name that the app's stores have.
  static func cover(_ title: String = "Tapa", className: String = "Articulos.Portada") -> Data {
    var writer = ArchiveWriter()
    let words = writer.array([writer.text("una")])
    let root = writer.add(
      className,
      [
        "titulo": writer.text(title), "paginas": .integer(12), "escala": .real(3),
        "esBorrador": .boolean(false),
        "palabras": words, "contraportada": ArchiveWriter.null,
      ])
    return writer.data(root: root)
  }

  // MARK: Running

  func run(_ policies: EntityMigrationPolicy.Type...) throws {
    var registry = PolicyRegistry()
    for policy in policies { registry.add(policy) }
    let before = try Data(contentsOf: source)
    _ = try Migration.run(
      MigrationJob(
        source: source, output: output, workFolder: folder.url.appendingPathComponent("out/work"),
        catalogue: catalogue, policies: registry))
    #expect(try Data(contentsOf: source) == before, "the source changed")
  }

  /// The stored bytes of a column of the result, in the order of rows.
  func stored(_ column: String) throws -> [Data?] {
    let database = try SQLiteDatabase(output.path, mode: .immutable)
    return try database.rows("SELECT \(column) FROM ZARTICULO ORDER BY Z_PK").map { row in
      if case .blob(let data)? = row.first { data } else { nil }
    }
  }

  /// The objects of a store, with the context that holds them.
  func objects(of store: URL? = nil, version: Int = 2) throws -> (NSManagedObjectContext, [NSManagedObject]) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(version))
    try coordinator.addPersistentStore(type: .sqlite, at: store ?? output)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let request = NSFetchRequest<NSManagedObject>(entityName: "Articulo")
    request.sortDescriptors = [NSSortDescriptor(key: "titulo", ascending: true)]
    return (context, try context.fetch(request))
  }
}
