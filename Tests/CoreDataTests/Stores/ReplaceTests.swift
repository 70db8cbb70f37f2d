import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("replacePersistentStore")
struct ReplaceTests {
  private func replace(
    _ shop: Biblioteca, _ destination: URL, by source: URL, type: String = NSSQLiteStoreType
  ) throws {
    try shop.coordinator(1).replacePersistentStore(
      at: destination, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil,
      ofType: type)
  }

  private static let titles = ["Uno", "Dos", "Tres", "Cuatro", "-"]

  @Test("a store is copied to a free path with its external data, and stays as it is")
  func freePlace() throws {
    let shop = try Biblioteca()
    let source = try shop.makeStore()
    let before = try shop.files("in")
    let place = shop.url("out/Copia.sqlite")
    try shop.coordinator(1).replacePersistentStore(at: place, withPersistentStoreFrom: source, type: .sqlite)
    #expect(try shop.files("in") == before)
    let files = try shop.files("out")
    #expect(
      files.keys.sorted() == [
        ".Copia_SUPPORT", ".Copia_SUPPORT/_EXTERNAL_DATA", ".Copia_SUPPORT/_EXTERNAL_DATA/\(Biblioteca.image)",
        "Copia.sqlite",
      ])
    #expect(files["Copia.sqlite"] == before["Libros.sqlite"])
    #expect(files[".Copia_SUPPORT/_EXTERNAL_DATA/\(Biblioteca.image)"] == Data("portada de Uno".utf8))
  }

  @Test("the new store replaces the old one with its log, journal and external data", arguments: [0, 1, 2])
  func occupied(kind: Int) throws {
    let shop = try Biblioteca()
    let source = try shop.makeStore(title: "Nuevo", image: "0C0C6B1C-6A0B-4C34-9C1F-6E5D8D2C7A11")
    let place =
      switch kind {
      case 0: try shop.makeStore("out/Libros.sqlite")
      case 1: try shop.makeLoggedStore("out/Libros.sqlite")
      default: try shop.makeTornStore("out/Libros.sqlite")
      }
    let before = try shop.files("in")
    try replace(shop, place, by: source)
    #expect(try shop.files("in") == before)
    #expect(try shop.files("out") == before)
  }

  @Test("the copy's file has what is only in the source's log, and stays in WAL mode")
  func logged() throws {
    let shop = try Biblioteca()
    let source = try shop.makeLoggedStore()
    #expect(try Biblioteca.titles(source) == Self.titles)
    let before = try shop.files("in")
    let place = shop.url("out/Libros.sqlite")
    try replace(shop, place, by: source)
    #expect(try shop.files("in") == before)
    #expect(try Biblioteca.titles(place) == ["Uno", "Del log", "Tres", "Cuatro", "-"])
    #expect(try Data(contentsOf: place)[18...19] == Data([2, 2]))
    #expect(try shop.files("out").keys.filter { $0.hasPrefix("Libros") } == ["Libros.sqlite"])
  }

  @Test("an unfinished transaction of the source is rolled back in the copy")
  func torn() throws {
    let shop = try Biblioteca()
    let source = try shop.makeTornStore()
    let before = try shop.files("in")
    let place = shop.url("out/Libros.sqlite")
    try replace(shop, place, by: source)
    #expect(try shop.files("in") == before)
    #expect(try Biblioteca.titles(place) == Self.titles)
    #expect(try Data(contentsOf: place)[18...19] == Data([1, 1]))
  }

  @Test("an XML store is copied as it is")
  func xml() throws {
    let shop = try Biblioteca()
    let model = try shop.model(1)
    let source = shop.url("in/Libros.xml")
    try XMLStoreText(model.model, objects: "").data.write(to: source)
    let place = shop.url("out/Libros.xml")
    try replace(shop, place, by: source, type: NSXMLStoreType)
    #expect(try Data(contentsOf: place) == Data(contentsOf: source))
    #expect(throws: CoreDataError.self) { try replace(shop, place, by: source) }
  }

  @Test("after each interruption the old store is complete")
  func interrupted() throws {
    let shop = try Biblioteca()
    let place = try StorePlace(try shop.makeLoggedStore("out/Libros.sqlite"))
    let image = ".Libros_SUPPORT/_EXTERNAL_DATA/\(Biblioteca.image)"
    let folder = try PrivateFolder(beside: place)
    let source = try shop.makeStore(title: "Nuevo", image: "0C0C6B1C-6A0B-4C34-9C1F-6E5D8D2C7A11")
    let made = try StoreSnapshot.make(
      of: try StorePlace(source), type: NSSQLiteStoreType, named: "Libros.sqlite", in: folder)
    // As if killed after the new external data were added.
    try SupportFolders(old: place.support, new: made.place.support).add()
    #expect(try shop.files("out")[image] == Data("portada de Uno".utf8))
    // As if killed after the log was written into the file, and before the log was removed.
    let scratch = try PrivateFolder()
    let copy = scratch.path("copy.sqlite")
    try replace(shop, URL(fileURLWithPath: copy), by: place.url)
    #expect(rename(copy, place.path) == 0 || errno == EXDEV)
    let again = shop.url("Otra.sqlite")
    try replace(shop, again, by: place.url)
    #expect(try Biblioteca.titles(again) == ["Uno", "Del log", "Tres", "Cuatro", "-"])
    try StorePlacement.put(made.place, at: place, scratch: folder)
    #expect(try Biblioteca.titles(place.url).first == "Nuevo")
    #expect(try shop.files("out")[image] == nil)
  }

  @Test("a private folder that can't be made gives an error with Cocoa's code")
  func privateFolder() throws {
    let shop = try Biblioteca()
    try shop.folder.write("", to: "file")
    let error = #expect(throws: CoreDataError.self) {
      try PrivateFolder(beside: try StorePlace(shop.url("file/Libros.sqlite")))
    }
    #expect(error?.code == CocoaError.fileWriteUnknown.rawValue, "\(error as Any)")
  }

  @Test("a store can't replace itself, also through a link", arguments: [0, 1, 2])
  func oneFile(kind: Int) throws {
    let shop = try Biblioteca()
    let source = try shop.makeStore()
    var place = source
    if kind == 1 {
      place = shop.url("out/Libros.sqlite")
      try FileManager.default.linkItem(at: source, to: place)
    }
    if kind == 2 {
      try FileManager.default.createSymbolicLink(at: shop.url("link"), withDestinationURL: shop.url("in"))
      place = shop.url("link/Libros.sqlite")
    }
    let before = try shop.files("in")
    let error = #expect(throws: CoreDataError.self) { try replace(shop, place, by: source) }
    #expect(error?.message.contains("are one file") == true, "\(error as Any)")
    #expect(try shop.files("in") == before)
  }

  @Test(
    "a source that can't be used is refused, and the destination stays as it is",
    arguments: ["missing", "folder", "link", "text", "damaged", "truncated", "other", "linked data", "empty"])
  func unusable(kind: String) throws {
    let shop = try Biblioteca()
    let source = shop.url("in/Libros.sqlite")
    if !["missing", "folder", "text", "link", "empty"].contains(kind) { try shop.makeStore() }
    switch kind {
    case "folder": try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    case "link":
      try FileManager.default.createSymbolicLink(
        at: source, withDestinationURL: try shop.makeStore("Elsewhere.sqlite"))
    case "text": try Data("no es un libro".utf8).write(to: source)
    case "empty": try Data().write(to: source)
    case "damaged":
      var data = try Data(contentsOf: source)
      for index in stride(from: 5000, to: data.count - 1, by: 7) { data[index] = 0xAA }
      try data.write(to: source)
    case "truncated": try Data(contentsOf: source).prefix(9000).write(to: source)
    case "other":
      try FileManager.default.removeItem(at: source)
      let database = try SQLiteDatabase(source.path, mode: .create)
      try database.execute("CREATE TABLE other (a)")
    case "linked data":
      let support = shop.url("in/.Libros_SUPPORT")
      try FileManager.default.moveItem(at: support, to: shop.url("moved"))
      try FileManager.default.createSymbolicLink(at: support, withDestinationURL: shop.url("moved"))
    default: break
    }
    let place = try shop.makeStore("out/Libros.sqlite", title: "Viejo")
    let before = try shop.files("out")
    let error = #expect(throws: CoreDataError.self) { try replace(shop, place, by: source) }
    #expect(error?.message.contains("Libros") == true, "\(error as Any)")
    #expect((error as NSError?)?.domain == NSCocoaErrorDomain)
    if kind == "missing" { #expect(error?.code == CocoaError.fileReadNoSuchFile.rawValue) }
    if ["damaged", "truncated"].contains(kind) {
      #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    }
    #expect(try shop.files("out") == before)
  }

  @Test("a destination that can't be used is refused, and no files are left")
  func unusableDestination() throws {
    let shop = try Biblioteca()
    let source = try shop.makeStore()
    let missing = #expect(throws: CoreDataError.self) {
      try replace(shop, shop.url("nowhere/Libros.sqlite"), by: source)
    }
    #expect(missing?.message.contains("There is no folder") == true, "\(missing as Any)")
    let closed = #expect(throws: CoreDataError.self) {
      try replace(shop, URL(fileURLWithPath: "/sys/Libros.sqlite"), by: source)
    }
    #expect(closed?.code == CocoaError.fileWriteNoPermission.rawValue, "\(closed as Any)")
    let web = try #require(URL(string: "https://example.org/Libros.sqlite"))
    #expect(throws: CoreDataError.self) { try replace(shop, web, by: source) }
    for type in [NSBinaryStoreType, NSInMemoryStoreType, "Other"] {
      let error = #expect(throws: CoreDataError.self) {
        try replace(shop, shop.url("out/L.sqlite"), by: source, type: type)
      }
      #expect(error?.code == NSPersistentStoreInvalidTypeError)
    }
    try FileManager.default.createSymbolicLink(
      at: shop.url("out/L.sqlite"), withDestinationURL: shop.url("out/M.sqlite"))
    #expect(throws: CoreDataError.self) { try replace(shop, shop.url("out/L.sqlite"), by: source) }
    #expect(try shop.files("out").keys.sorted() == ["L.sqlite"])
  }

  @Test(
    "genuine stores keep their rows",
    .enabled(if: SharedFixtures.areThere, Comment(rawValue: SharedFixtures.reason)),
    arguments: SharedFixtures.manifest.filter { $0.kind == "SQLite" })
  func genuine(_ store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let source = try SharedFixtures.copy(store, into: folder)
    let before = try Data(contentsOf: source)
    let place = folder.url.appendingPathComponent("Copia.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Biblioteca().model(1))
    try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: source, type: .sqlite)
    #expect(try Data(contentsOf: source) == before)
    let database = try SQLiteDatabase(place.path, mode: .immutable)
    let tables = try database.rows(
      "SELECT m.name FROM sqlite_master AS m WHERE m.type = 'table' AND EXISTS "
        + "(SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'Z_ENT') AND m.name <> 'Z_PRIMARYKEY'"
    ).compactMap { if case .text(let name)? = $0.first { name } else { nil } }
    for (entity, count) in store.rows {
      let found = try tables.reduce(0) {
        try $0
          + database.integer(
            "SELECT count(*) FROM \(quoted($1)) WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?)",
            [.text(entity)])
      }
      #expect(found == count, "\(entity)")
    }
  }
}
