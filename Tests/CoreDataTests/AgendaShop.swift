import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

/// A temporary folder with an app's bundle, and with a store.
///
/// The bundle has four compiled versions of a model, and a mapping model from the second to the third.
struct AgendaShop {
  let folder: TemporaryFolder
  let models: [ManagedObjectModel]

  static let versions = ["Agenda", "Agenda 2", "Agenda 3", "Agenda 4"]

  private static let texts = [
    "Contacto\n nombre String?\n telefono String?\n edad Int16?",
    "Contacto\n nombre String?\n telefono String?\n edad Int16?\n nota String?",
    "Contacto\n nombre String?\n edad String?\n telefonos ->> Telefono.contacto\n"
      + "Telefono\n numero String?\n contacto -> Contacto.telefonos",
    "Contacto\n nombre String?\n edad String?\n favorito Bool = NO\n telefonos ->> Telefono.contacto\n"
      + "Telefono\n numero String?\n contacto -> Contacto.telefonos",
  ]

  /// The text of the bundle's mapping model, which takes over only names and ages if it has no policy.
  private static func mapping(_ policy: String?) -> String {
    "{ source: 'Agenda 2', destination: 'Agenda 3', entityMappings: [ { source: 'Contacto', destination: 'Contacto', "
      + (policy.map { "policy: '\($0)', " } ?? "")
      + "attributes: { edad: \"CAST($source.edad, 'NSString')\" } } ] }"
  }

  /// - Parameters:
  ///   - policy: The policy of the mapping model.
  ///   - version: The store's version.
  init(
    policy: String? = "Agenda.SplitTelephonesPolicy", store version: Int = 1,
    rows: [(nombre: String?, telefono: String?, edad: Int64?)] = [
      ("Ana", "1,2", 30), ("Zoe", nil, nil), ("ana", "3", 31),
    ]
  ) throws {
    folder = try TemporaryFolder("decant-agenda")
    models = try Self.texts.map { try ModelContentsReader.read(Data(ModelText($0).contents.utf8)).model }
    try writeBundle(policy)
    try makeStore(models[version - 1], rows)
  }

  var bundleFolder: URL { folder.url.appendingPathComponent("App") }
  var source: URL { folder.url.appendingPathComponent("in/Store.sqlite") }
  var output: URL { folder.url.appendingPathComponent("out/Store.sqlite") }

  func bundle() throws -> Bundle { try #require(Bundle(path: bundleFolder.path)) }

  func file(_ version: Int) -> URL {
    bundleFolder.appendingPathComponent("Agenda.momd/\(Self.versions[version - 1]).mom")
  }

  private func writeBundle(_ policy: String?) throws {
    var hashes: [String: [String: Data]] = [:]
    for (name, model) in zip(Self.versions, models) {
      hashes[name] = model.entityVersionHashes.mapValues(\.data)
      let file = bundleFolder.appendingPathComponent("Agenda.momd/\(name).mom")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try CompiledModelWriter.data(model).write(to: file)
    }
    let info = try PropertyListSerialization.data(
      fromPropertyList: [
        "NSManagedObjectModel_CurrentVersionName": Self.versions[3],
        "NSManagedObjectModel_VersionHashes": hashes,
      ], format: .binary, options: 0)
    try info.write(to: bundleFolder.appendingPathComponent("Agenda.momd/VersionInfo.plist"))
    try folder.write(Self.mapping(policy), to: "App/Agenda2to3.mapping.json5")
  }

  private func makeStore(
    _ model: ManagedObjectModel, _ rows: [(nombre: String?, telefono: String?, edad: Int64?)]
  ) throws {
    for url in [source, output] {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    let layout = try StoreLayout(model, framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: source.path, layout: layout)
    let insert = try store.database.prepare(
      "INSERT INTO ZCONTACTO (Z_PK, Z_ENT, Z_OPT, ZNOMBRE, ZTELEFONO, ZEDAD) VALUES (?, 1, 1, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      try insert.run([
        .integer(Int64(index + 1)), row.nombre.map { .text($0) } ?? .null,
        row.telefono.map { .text($0) } ?? .null, row.edad.map { .integer($0) } ?? .null,
      ])
    }
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(
      metadata: StoreMetadata(uuid: "3D2C8A10-3F5C-4B0D-9B34-0F1D2A3B4C5D", entries: [:])
        .updated(for: layout.model, framework: layout.framework), maxima: [:], usesWriteAheadLog: false)
  }

  /// The lines of the result, or the error's description if the result can't be read.
  var found: [String] {
    do { return try lines() } catch { return ["\(error)"] }
  }

  /// The rows of the store in `file`, or of the result if it is nil: `contacto edad=30 nombre=Ana`.
  ///
  /// Nil values are left out. A telephone has its contact's name: `telefono contacto=Ana numero=1`.
  func lines(of file: URL? = nil) throws -> [String] {
    let database = try SQLiteDatabase((file ?? output).path, mode: .immutable)
    var lines: [String] = []
    let names = try database.rows("SELECT Z_PK, ZNOMBRE FROM ZCONTACTO").reduce(into: [String: String]()) {
      if let key = Self.words($1[0]) { $0[key] = Self.words($1[1]) ?? "-" }
    }
    for table in ["ZCONTACTO", "ZTELEFONO"] {
      let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name").compactMap
      {
        if case .text(let name)? = $0.first, !name.hasPrefix("Z_") { name } else { nil }
      }
      guard !columns.isEmpty else { continue }
      for row in try database.rows(
        "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM \(table) ORDER BY Z_PK")
      {
        let values = zip(columns, row.dropFirst()).compactMap { name, value in
          Self.words(value).map {
            "\(name.dropFirst().lowercased())=\(name == "ZCONTACTO" ? names[$0] ?? "?" : $0)"
          }
        }
        lines.append("\(table.dropFirst().lowercased()) \(values.joined(separator: " "))")
      }
    }
    return lines
  }

  private static func words(_ value: SQLiteValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob: "blob"
    }
  }
}
