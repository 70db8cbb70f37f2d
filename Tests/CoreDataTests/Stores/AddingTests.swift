import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("addPersistentStore")
struct AddingTests {
  private static var migrating: [AnyHashable: Any] {
    [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
  }

  private func add(
    _ url: URL?, to coordinator: NSPersistentStoreCoordinator, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
  }

  @Test(
    "a store of the model is opened, found by its URL, and not changed", arguments: Biblioteca.Sibling.allCases)
  func opening(sibling: Biblioteca.Sibling) throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore(with: sibling)
    let before = try shop.files("in")
    let coordinator = try shop.coordinator(1)
    let store = try add(url, to: coordinator, Self.migrating)
    #expect(store.type == NSSQLiteStoreType && store.url == url && !store.isReadOnly)
    #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    #expect(store.metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(coordinator.persistentStores == [store])
    #expect(coordinator.persistentStore(for: url) === store && coordinator.url(for: store) == url)
    #expect(store.persistentStoreCoordinator === coordinator)
    #expect(throws: CoreDataError.self) { try add(url, to: coordinator) }
    try coordinator.remove(store)
    #expect(coordinator.persistentStores.isEmpty && store.persistentStoreCoordinator == nil)
    #expect(throws: CoreDataError.self) { try coordinator.remove(store) }
    #expect(try shop.files("in") == before)
  }

  @Test(
    "a new store of the model is made in an empty file or at a free path, in both journal modes",
    arguments: [true, false])
  func making(isLogged: Bool) throws {
    let shop = try Biblioteca()
    let url = shop.url("out/Nuevo.sqlite")
    // Apple's destroyPersistentStore leaves an empty file.
    try Data().write(to: url)
    let options: [AnyHashable: Any] =
      isLogged ? [:] : [NSSQLitePragmasOption: ["journal_mode": "DELETE" as NSString]]
    let coordinator = try shop.coordinator(2)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    #expect(try shop.files("out").keys.sorted() == ["Nuevo.sqlite"])
    #expect(try Data(contentsOf: url)[18] == (isLogged ? 2 : 1))
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(at: url)
    #expect(try shop.model(2).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(UUID(uuidString: store.identifier) != nil)
    let other = try coordinator.addPersistentStore(type: .sqlite, at: shop.url("out/Otro.sqlite"))
    #expect(other.identifier != store.identifier && coordinator.persistentStores.count == 2)
    let readOnly = #expect(throws: CoreDataError.self) {
      try add(shop.url("out/Tercero.sqlite"), to: coordinator, [NSReadOnlyPersistentStoreOption: true])
    }
    #expect(readOnly?.code == CocoaError.fileReadNoSuchFile.rawValue)
  }

  @Test("a store of another version is refused with the names of its entities, and stays as it is")
  func otherVersion() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let before = try shop.files("in")
    for options in [
      nil, [NSInferMappingModelAutomaticallyOption: true],
      [NSMigratePersistentStoresAutomaticallyOption: true, NSReadOnlyPersistentStoreOption: true],
    ] as [[AnyHashable: Any]?] {
      let error = #expect(throws: CoreDataError.self) { try add(url, to: try shop.coordinator(2), options) }
      #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
      #expect(error?.message.contains(url.path) == true)
      #expect(error?.message.contains("other version hashes: Novela, Obra, Tema).") == true, "\(error as Any)")
    }
    #expect(try shop.files("in") == before)
  }

  @Test(
    "the options ask for an inferred migration, and the store is migrated in its place",
    arguments: Biblioteca.Sibling.allCases)
  func inferred(sibling: Biblioteca.Sibling) throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore(with: sibling)
    let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(at: url)
    // The old version is found in the bundle that the model was read from.
    let coordinator = try shop.coordinator(2)
    let store = try add(url, to: coordinator, Self.migrating)
    #expect(store.identifier == before[NSStoreUUIDKey] as? String)
    let database = try SQLiteDatabase(url.path, mode: .immutable)
    let row = try database.rows("SELECT ZTITULO, ZHOJAS FROM ZOBRA WHERE Z_PK = 2").first
    #expect(row == [.text(sibling == .log ? "Del log" : "Dos"), .integer(20)])
    #expect(
      try shop.files("in").keys.sorted() == [
        ".Libros_SUPPORT", ".Libros_SUPPORT/_EXTERNAL_DATA",
        ".Libros_SUPPORT/_EXTERNAL_DATA/\(Biblioteca.image)",
        "Libros.sqlite",
      ])
  }

  @Test(
    "a mapping model from modelFolders does what can't be inferred; without it the error has the reason's code")
  func mappingModel() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let second = try shop.coordinator(2)
    second.modelFolders = [shop.models]
    try second.remove(try add(url, to: second, Self.migrating))
    let before = try shop.files("in")
    let third = try shop.coordinator(3)
    third.modelFolders = [shop.models]
    let none = #expect(throws: CoreDataError.self) {
      try add(url, to: third, [NSMigratePersistentStoresAutomaticallyOption: true])
    }
    #expect(none?.code == NSMigrationMissingMappingModelError)
    let heavy = #expect(throws: CoreDataError.self) { try add(url, to: third, Self.migrating) }
    #expect(heavy?.code == NSInferredMappingModelError, "\(heavy as Any)")
    #expect(try shop.files("in") == before)
    try shop.addMapping()
    _ = try add(url, to: third, [NSMigratePersistentStoresAutomaticallyOption: true])
    let database = try SQLiteDatabase(url.path, mode: .immutable)
    #expect(try database.rows("SELECT ZHOJAS FROM ZOBRA WHERE Z_PK = 2") == [[.text("20")]])
  }

  @Test("a staged migration manager in the options runs its stages; without fitting stages nothing changes")
  func staged() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let before = try shop.files("in")
    func options(_ checksums: [String]) -> [AnyHashable: Any] {
      [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([
          NSLightweightMigrationStage(checksums)
        ]),
      ]
    }
    #expect(throws: CoreDataError.self) { try add(url, to: try shop.coordinator(2), options(["a", "b"])) }
    #expect(try shop.files("in") == before)
    let checksums = [try shop.model(1).versionChecksum, try shop.model(2).versionChecksum]
    _ = try add(url, to: try shop.coordinator(2), options(checksums))
    let database = try SQLiteDatabase(url.path, mode: .immutable)
    #expect(try database.rows("SELECT ZHOJAS FROM ZOBRA WHERE Z_PK = 2") == [[.integer(20)]])
    #expect(try shop.files("in").keys.filter { $0.hasPrefix("Libros") } == ["Libros.sqlite"])
  }

  @Test("a store whose model isn't found is refused")
  func missingModel() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let before = try shop.files("in")
    let alone = shop.url("Alone.xcdatamodel")
    try FileManager.default.copyItem(
      at: shop.url("Models/Biblioteca.xcdatamodeld/B2.xcdatamodel"), to: alone)
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel.model(at: alone))
    let error = #expect(throws: CoreDataError.self) { try add(url, to: coordinator, Self.migrating) }
    #expect(error?.code == NSMigrationMissingSourceModelError, "\(error as Any)")
    #expect(error?.message.contains("can be read") == false, "\(error as Any)")
    // The missing model may be one that can't be read. So the error names it, with stages as well.
    let broken = shop.url("Broken/Alt.xcdatamodeld/Alt.xcdatamodel/contents")
    try FileManager.default.createDirectory(
      at: broken.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("<model>".utf8).write(to: broken)
    coordinator.modelFolders = [shop.url("Broken")]
    let staged: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([
        NSLightweightMigrationStage(["a", "b"])
      ]),
    ]
    for options in [Self.migrating, staged] {
      let named = #expect(throws: CoreDataError.self) { try add(url, to: coordinator, options) }
      #expect(named?.code == NSMigrationMissingSourceModelError, "\(named as Any)")
      #expect(named?.message.contains("modelFolders. Not everything can be read: ") == true, "\(named as Any)")
      #expect(named?.message.contains("Alt.xcdatamodel") == true, "\(named as Any)")
    }
    #expect(try shop.files("in") == before)
  }

  @Test("a second store with the same UUID, links, other types, devices and damaged files are refused")
  func refused() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let coordinator = try shop.coordinator(1)
    _ = try add(url, to: coordinator)
    let copy = shop.url("out/Copia.sqlite")
    try FileManager.default.copyItem(at: url, to: copy)
    let twin = #expect(throws: CoreDataError.self) { try add(copy, to: coordinator) }
    #expect(twin?.message.contains("one UUID") == true)
    let link = shop.url("out/Enlace.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    #expect(throws: CoreDataError.self) { try add(link, to: try shop.coordinator(1)) }
    #expect(throws: CoreDataError.self) { try add(nil, to: coordinator) }
    #expect(throws: CoreDataError.self) { try add(URL(fileURLWithPath: "/dev/null"), to: coordinator) }
    #expect(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(type: .inMemory, at: shop.url("x"))
    }
    #expect(throws: CoreDataError.self) { try coordinator.addPersistentStore(type: .xml, at: copy) }
    let configuration = #expect(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(type: .sqlite, configuration: "Nube", at: copy)
    }
    #expect(configuration?.message.contains("“Nube”") == true)
    try Data(contentsOf: url).prefix(9000).write(to: copy)
    let damaged = #expect(throws: CoreDataError.self) { try add(copy, to: try shop.coordinator(1)) }
    #expect(damaged?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test("migratePersistentStore writes a copy, which takes the store's place in the coordinator")
  func migrating() throws {
    let shop = try Biblioteca()
    let url = try shop.makeLoggedStore()
    let before = try shop.files("in")
    let coordinator = try shop.coordinator(1)
    let store = try add(url, to: coordinator)
    let place = shop.url("out/Copia.sqlite")
    let copy = try coordinator.migratePersistentStore(store, to: place, options: nil, type: .sqlite)
    #expect(coordinator.persistentStores == [copy] && copy.url == place)
    #expect(try Biblioteca.titles(place)[1] == "Del log")
    #expect(try shop.files("out").keys.contains(".Copia_SUPPORT/_EXTERNAL_DATA/\(Biblioteca.image)"))
    #expect(try shop.files("in") == before)
    #expect(throws: CoreDataError.self) {
      try coordinator.migratePersistentStore(copy, to: url, withType: NSSQLiteStoreType)
    }
    #expect(throws: CoreDataError.self) {
      try coordinator.migratePersistentStore(copy, to: shop.url("out/C.xml"), withType: NSXMLStoreType)
    }
    #expect(coordinator.persistentStores == [copy])
    let link = shop.url("out/Enlace.sqlite")
    try FileManager.default.linkItem(at: place, to: link)
    for own in [place, link] {
      let itself = #expect(throws: CoreDataError.self) {
        try coordinator.migratePersistentStore(copy, to: own, withType: NSSQLiteStoreType)
      }
      #expect(itself?.message == "\(own.path) is the store itself. Choose another URL.", "\(own.path)")
    }
    #expect(coordinator.persistentStores == [copy])
  }

  @Test("an XML store is opened, and becomes an SQLite store")
  func xml() throws {
    let shop = try Biblioteca()
    let url = shop.url("in/Libros.xml")
    let object =
      "<object type=\"TEMA\" id=\"z102\"><attribute name=\"nombre\" type=\"string\">mar</attribute>"
      + "<relationship name=\"obras\" type=\"0/0\" destination=\"OBRA\"></relationship></object>"
    try XMLStoreText(try shop.model(1).model, next: 102, objects: object).data.write(to: url)
    let before = try shop.files("in")
    let coordinator = try shop.coordinator(1)
    let store = try coordinator.addPersistentStore(
      ofType: NSXMLStoreType, configurationName: nil, at: url, options: nil)
    #expect(store.type == NSXMLStoreType && store.metadata["Favourite"] as? String == "blue & green")
    let place = shop.url("out/Libros.sqlite")
    let made = try coordinator.migratePersistentStore(store, to: place, withType: NSSQLiteStoreType)
    #expect(made.type == NSSQLiteStoreType && coordinator.persistentStores == [made])
    let database = try SQLiteDatabase(place.path, mode: .immutable)
    #expect(try database.rows("SELECT ZNOMBRE FROM ZTEMA") == [[.text("mar")]])
    #expect(try shop.files("in") == before)
  }

  @Test("a URI names an object of a store that is open")
  func objectIDs() throws {
    let shop = try Biblioteca()
    let coordinator = try shop.coordinator(1)
    let store = try add(try shop.makeStore(), to: coordinator)
    let text = "x-coredata://\(store.identifier)/Novela/p3"
    let url = try #require(URL(string: text))
    let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
    #expect(id.entity.name == "Novela" && id.uriRepresentation().absoluteString == text && !id.isTemporaryID)
    #expect(id == coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
    for wrong in [
      "x-coredata://\(store.identifier)/Novela/t3", "x-coredata://\(store.identifier)/Nada/p3",
      "x-coredata://\(UUID().uuidString)/Novela/p3", "x-coredata://\(store.identifier)/Novela/p0",
      "x-coredata://\(store.identifier)/Novela/p99999999999999999999", "https://\(store.identifier)/Novela/p3",
      "x-coredata:///Novela/p3", "x-coredata://\(store.identifier)/Novela/p3/p4",
    ] {
      #expect(
        coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: wrong))) == nil, "\(wrong)")
    }
  }

  @Test("metadata of an open store are written by writeMetadata(), not before")
  func metadata() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let coordinator = try shop.coordinator(1)
    let store = try add(url, to: coordinator)
    let before = try shop.files("in")
    var metadata = coordinator.metadata(for: store)
    metadata["mía"] = 1
    coordinator.setMetadata(metadata, for: store)
    #expect(store.metadata["mía"] as? Int == 1)
    #expect(try shop.files("in") == before)
    store.forgetMetadata()
    #expect(store.metadata["mía"] == nil)
    store.metadata["mía"] = 2
    try store.writeMetadata()
    #expect(try NSPersistentStoreCoordinator.metadataForPersistentStore(at: url)["mía"] as? Int == 2)
  }
}
