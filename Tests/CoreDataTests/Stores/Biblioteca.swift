import CoreData
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

/// A temporary folder with three versions of a model, and with stores of the first one.
struct Biblioteca {
  let folder: TemporaryFolder

  /// The versions as texts for `ModelText`.
  ///
  /// The step to the second version can be inferred. The step to the third one needs a mapping model.
  private static let versions = [
    """
    Autor
      nombre String
      obras ->> Obra.autor ordered
    Novela < Obra
      leida Bool?
    Obra
      titulo String?
      paginas Int16?
      publicada Date?
      portada Binary? external
      autor -> Autor.obras
      temas ->> Tema.obras
    Tema
      nombre String?
      obras ->> Obra.temas
    """,
    """
    Autor
      nombre String
      obras ->> Obra.autor ordered
    Novela < Obra
      leida Bool?
    Obra
      titulo String?
      hojas Int16? was paginas
      publicada Date?
      portada Binary? external
      subtitulo String?
      autor -> Autor.obras
      temas ->> Tema.obras
    Tema
      nombre String?
      color String? = 'azul'
      obras ->> Obra.temas
    """,
    """
    Autor
      nombre String
      obras ->> Obra.autor ordered
    Novela < Obra
      leida Bool?
    Obra
      titulo String?
      hojas String?
      publicada Date?
      portada Binary? external
      subtitulo String?
      autor -> Autor.obras
      temas ->> Tema.obras
    Tema
      nombre String?
      color String? = 'azul'
      obras ->> Obra.temas
    """,
  ]

  init() throws {
    folder = try TemporaryFolder("decant-coordinator")
    for (index, text) in Self.versions.enumerated() {
      // The entities' classes have the entities' names, as in a new Xcode model.
      let contents = ModelText(text).contents.replacing(#/<entity name="([A-Za-z]+)"/#) {
        "<entity name=\"\($0.1)\" representedClassName=\"\($0.1)\""
      }
      try folder.write(contents, to: "Models/Biblioteca.xcdatamodeld/B\(index + 1).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>B3.xcdatamodel</string></dict></plist>
      """, to: "Models/Biblioteca.xcdatamodeld/.xccurrentversion")
    try FileManager.default.createDirectory(at: url("in"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: url("out"), withIntermediateDirectories: true)
  }

  func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
  var models: URL { url("Models") }

  func model(_ version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.model(at: url("Models/Biblioteca.xcdatamodeld/B\(version).xcdatamodel"))
  }

  func coordinator(_ version: Int) throws -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: try model(version))
  }

  /// Writes a mapping model from the second version to the third beside the models.
  func addMapping() throws {
    let mappings = ["Obra", "Novela"].map { name in
      "{ name: '\(name)s', source: '\(name)', destination: '\(name)', attributes: { hojas: "
        + "\"CAST($source.hojas, 'NSString')\" } }"
    }
    try folder.write(
      "{ source: 'B2', destination: 'B3', others: 'infer', entityMappings: [ \(mappings.joined(separator: ", ")) ] }",
      to: "Models/B2toB3.mapping.json5")
  }

  static let image = "9E1F6B1C-6A0B-4C34-9C1F-6E5D8D2C7A11"

  /// Makes a store of the first version with two authors, five works and two subjects.
  ///
  /// - Parameters:
  ///   - title: The title of the first work.
  ///   - isLogged: Whether the store is in WAL mode.
  @discardableResult
  func makeStore(
    _ name: String = "in/Libros.sqlite", title: String = "Uno", image: String = Self.image,
    isLogged: Bool = true
  ) throws -> URL {
    let url = url(name)
    let coordinator = try coordinator(1)
    let options: [AnyHashable: Any]? =
      isLogged ? nil : [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let stem = url.deletingPathExtension().lastPathComponent
    let data = url.deletingLastPathComponent().appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data("portada de \(title)".utf8).write(to: data.appendingPathComponent(image))
    let file = "x'02" + Array((image + "\u{0}").utf8).map { String(format: "%02x", $0) }.joined() + "'"
    try Self.run(
      """
      INSERT INTO ZAUTOR (Z_PK, Z_ENT, Z_OPT, ZNOMBRE) VALUES (1, 1, 1, 'Ana'), (2, 1, 1, 'Bea');
      INSERT INTO ZOBRA (Z_PK, Z_ENT, Z_OPT, ZTITULO, ZPAGINAS, ZPUBLICADA, ZPORTADA, ZAUTOR, Z_FOK_AUTOR, ZLEIDA)
        VALUES (1, 2, 1, '\(title)', 10, 0, \(file), 1, 3072, NULL),
          (2, 2, 1, 'Dos', 20, 100, x'01414243', 1, 2048, NULL), (3, 3, 1, 'Tres', 30, 200, NULL, 2, 2048, 1),
          (4, 3, 1, 'Cuatro', 40, 300, NULL, NULL, NULL, 0), (5, 2, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO ZTEMA (Z_PK, Z_ENT, Z_OPT, ZNOMBRE) VALUES (1, 4, 1, 'mar'), (2, 4, 1, 'sol');
      INSERT INTO Z_2TEMAS (Z_2OBRAS, Z_4TEMAS) VALUES (1, 1), (1, 2), (3, 1);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME IN ('Autor', 'Obra', 'Tema');
      """, in: url)
    return url
  }

  /// Runs statements; the file is closed when this returns.
  static func run(_ statements: String, in url: URL) throws {
    let database = try SQLiteDatabase(url.path, mode: .readWrite)
    try database.execute(statements)
  }

  /// The file that SQLite left beside a store: none, a `-wal` or a `-journal`.
  enum Sibling: CaseIterable {
    case none
    case log
    case journal
  }

  func makeStore(with sibling: Sibling) throws -> URL {
    switch sibling {
    case .none: try makeStore()
    case .log: try makeLoggedStore()
    case .journal: try makeTornStore()
    }
  }

  /// Makes a store whose second title is changed only in its `-wal`.
  func makeLoggedStore(_ name: String = "in/Libros.sqlite") throws -> URL {
    let url = try makeStore(name)
    let copy = self.url("live.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    let database = try SQLiteDatabase(copy.path, mode: .readWrite)
    try database.execute(
      "PRAGMA wal_autocheckpoint=0; UPDATE ZOBRA SET ZTITULO = 'Del log' WHERE Z_PK = 2")
    for suffix in ["", "-wal"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: copy.path + suffix))
      try data.write(to: URL(fileURLWithPath: url.path + suffix))
    }
    withExtendedLifetime(database) {}
    return url
  }

  /// Makes a store with the `-journal` of a process that was killed while it changed all titles.
  func makeTornStore(_ name: String = "in/Libros.sqlite") throws -> URL {
    let url = try makeStore(name, isLogged: false)
    let copy = self.url("torn.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    let database = try SQLiteDatabase(copy.path, mode: .readWrite)
    try database.execute(
      """
      PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE Z_METADATA SET Z_PLIST = Z_PLIST || x'00';
      UPDATE ZOBRA SET ZTITULO = 'a medias'; UPDATE ZTEMA SET ZNOMBRE = 'a medias'; UPDATE ZAUTOR SET ZNOMBRE = 'x';
      """)
    for suffix in ["", "-journal"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: copy.path + suffix))
      try data.write(to: URL(fileURLWithPath: url.path + suffix))
    }
    try database.execute("ROLLBACK")
    return url
  }

  /// The titles in a store's file in the order of primary keys, without its `-wal`.
  static func titles(_ url: URL) throws -> [String] {
    let database = try SQLiteDatabase(url.path, mode: .immutable)
    return try database.rows("SELECT ZTITULO FROM ZOBRA ORDER BY Z_PK").map {
      if case .text(let text)? = $0.first { text } else { "-" }
    }
  }

  /// The content of each file below a folder by path; for a folder it is the text `folder`.
  func files(_ name: String) throws -> [String: Data] {
    let root = url(name).path
    var files: [String: Data] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      files[path] = FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data("folder".utf8)
    }
    return files
  }
}
