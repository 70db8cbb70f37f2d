import DecantTestSupport
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Containers")
struct ContainerTests {
  private func load(_ container: NSPersistentContainer) -> [(any Error)?] {
    var results: [(any Error)?] = []
    container.loadPersistentStores { description, error in
      #expect(container.persistentStoreDescriptions.contains { $0 === description })
      results.append(error)
    }
    return results
  }

  @Test("a container opens the stores of its descriptions, and its contexts read them")
  func loading() throws {
    let shop = try Biblioteca()
    let container = NSPersistentContainer(name: "Biblioteca", managedObjectModel: try shop.model(1))
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: try shop.makeStore()),
      NSPersistentStoreDescription(url: shop.url("out/Nuevo.sqlite")),
    ]
    #expect(load(container).map { "\($0 as Any)" } == ["nil", "nil"])
    #expect(load(container).isEmpty)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
    #expect(try container.viewContext.count(for: request) == 5)
    #expect(try container.newBackgroundContext().count(for: request) == 5)
    var count = 0
    container.performBackgroundTask { context in count = (try? context.count(for: request)) ?? 0 }
    #expect(count == 5)
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
  }

  @Test("the error for an unreadable model names its file, and differs from the error for a missing model")
  func damagedModel() throws {
    let shop = try Biblioteca()
    try shop.folder.write("no model", to: "bundle/Biblioteca.mom")
    let damaged = NSPersistentContainer(name: "Biblioteca", searching: [shop.url("bundle")])
    damaged.persistentStoreDescriptions = [NSPersistentStoreDescription(url: shop.url("out/Nuevo.sqlite"))]
    let error = try #require(load(damaged).first ?? nil)
    #expect("\(error)".contains("bundle/Biblioteca.mom"), "\(error)")
    let missing = NSPersistentContainer(name: "Nada", searching: [shop.url("bundle")])
    #expect(load(missing).map { "\($0 as Any)".contains("wasn't found") } == [true])
    let empty = NSPersistentContainer(name: "Nada", managedObjectModel: NSManagedObjectModel())
    #expect(load(empty).map { "\($0 as Any)".contains("has no entities") } == [true])
  }

  /// A container whose default folder can't be made.
  private final class FolderlessContainer: NSPersistentContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/proc/self/status/app") }
  }

  @Test("the error names a default folder that can't be made")
  func defaultFolder() throws {
    let shop = try Biblioteca()
    let container = FolderlessContainer(name: "Biblioteca", managedObjectModel: try shop.model(1))
    let error = try #require(load(container).first ?? nil)
    #expect("\(error)".contains("The folder /proc/self/status/app of the store can't be made"), "\(error)")
  }

  @Test("there is no merged model if a bundle doesn't state its current version")
  func mergedModel() throws {
    let shop = try Biblioteca()
    let bundle = shop.url("bundle/Biblioteca.xcdatamodeld")
    for number in 1...2 {
      try shop.folder.write(
        "<model><entity name=\"Obra\(number)\" representedClassName=\"Obra\"/></model>",
        to: "bundle/Biblioteca.xcdatamodeld/V\(number).xcdatamodel/contents")
    }
    try shop.folder.write(
      "<model><entity name=\"Autor\"/></model>", to: "bundle/Autores.xcdatamodel/contents")
    #expect(NSManagedObjectModel.mergedModel(inFolders: [shop.url("bundle")]) == nil)
    try FileManager.default.removeItem(at: bundle.appendingPathComponent("V2.xcdatamodel"))
    let merged = try #require(NSManagedObjectModel.mergedModel(inFolders: [shop.url("bundle")]))
    #expect(merged.entities.compactMap(\.name).sorted() == ["Autor", "Obra1"])
  }

  @Test("there is no merged model if one of the models is damaged, and the error names its file")
  func damagedMerged() throws {
    let shop = try Biblioteca()
    for entity in ["Autor", "Obra"] {
      try shop.folder.write(
        "<model><entity name=\"\(entity)\"/></model>", to: "bundle/\(entity).xcdatamodel/contents")
    }
    let folders = [shop.url("bundle")]
    let whole = try #require(NSManagedObjectModel.mergedModel(inFolders: folders))
    #expect(whole.entities.count == 2)
    let metadata: [String: Any] = [NSStoreModelVersionHashesKey: whole.entityVersionHashesByName]
    try shop.folder.write("no model", to: "bundle/Sello.mom")
    #expect(NSManagedObjectModel.mergedModel(inFolders: folders) == nil)
    let error = #expect(throws: CoreDataError.self) {
      try NSManagedObjectModel.currentModel(inFolders: folders)
    }
    let path = shop.url("bundle/Sello.mom").path
    #expect(error?.message.contains("Not everything can be read: \(path): ") == true, "\(error as Any)")
    // The metadata name the store's entities. The damaged model can't add one.
    #expect(NSManagedObjectModel.mergedModel(inFolders: folders, forStoreMetadata: metadata) == whole)
  }

  @Test("a version is found beside a damaged version of the same bundle")
  func damagedVersion() throws {
    let shop = try Biblioteca()
    try shop.folder.write(
      "<model><entity name=\"Autor\"/></model>", to: "bundle/Autores.xcdatamodeld/V1.xcdatamodel/contents")
    let folders = [shop.url("bundle")]
    let first = try #require(NSManagedObjectModel.mergedModel(inFolders: folders))
    let metadata: [String: Any] = [NSStoreModelVersionHashesKey: first.entityVersionHashesByName]
    try shop.folder.write("<model", to: "bundle/Autores.xcdatamodeld/V2.xcdatamodel/contents")
    #expect(NSManagedObjectModel.mergedModel(inFolders: folders, forStoreMetadata: metadata) == first)
    #expect(NSManagedObjectModel.mergedModel(inFolders: folders) == nil)
  }

  @Test("a background task returns its value")
  func background() async throws {
    let shop = try Biblioteca()
    let container = NSPersistentContainer(name: "Biblioteca", managedObjectModel: try shop.model(1))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: try shop.makeStore())]
    #expect(load(container).map { "\($0 as Any)" } == ["nil"])
    let count = try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Obra"))
    }
    #expect(count == 5)
  }

  /// An app's stack on the main actor.
  @MainActor private final class Stack {
    let container: NSPersistentContainer
    private var counts: [Int] = []

    init(_ container: NSPersistentContainer) { self.container = container }

    func count() async throws -> [Int] {
      let entities = ["Obra", "Autor"]
      let found = try await container.performBackgroundTask { context in
        try entities.map { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0)) }
      }
      counts += found
      // The result needn't be Sendable.
      let request = await container.performBackgroundTask { _ in
        self.counts.append(0)
        return NSFetchRequest<NSManagedObject>(entityName: "Obra")
      }
      return counts + [try container.viewContext.count(for: request)]
    }
  }

  @Test("a background task is started by a stack on the main actor, in Swift 6")
  @MainActor func mainActor() async throws {
    let shop = try Biblioteca()
    let container = NSPersistentContainer(name: "Biblioteca", managedObjectModel: try shop.model(1))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: try shop.makeStore())]
    #expect(load(container).map { "\($0 as Any)" } == ["nil"])
    let counts = try await Stack(container).count()
    #expect(counts.first == 5 && counts.suffix(2) == [0, 5])
  }

  @Test("a store description asks for a migration by default")
  func migrating() throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore()
    let before = try shop.files("in")
    let description = NSPersistentStoreDescription(url: url)
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    #expect(description.type == NSSQLiteStoreType && !description.isReadOnly && description.timeout == 240)
    let container = NSPersistentContainer(name: "Biblioteca", managedObjectModel: try shop.model(2))
    container.persistentStoreCoordinator.modelFolders = [shop.models]
    container.persistentStoreDescriptions = [description]
    description.isReadOnly = true
    #expect((load(container).first as? CoreDataError)?.code == NSPersistentStoreIncompatibleVersionHashError)
    description.isReadOnly = false
    description.shouldMigrateStoreAutomatically = false
    #expect((load(container).first as? CoreDataError)?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(try shop.files("in") == before)
    description.setOption(true as NSNumber, forKey: NSMigratePersistentStoresAutomaticallyOption)
    #expect(load(container).map { "\($0 as Any)" } == ["nil"])
    let obras = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Obra"))
    #expect(obras.map { $0.value(forKey: "hojas") as? Int } == [10, 20, 30, 40, nil])
  }

  @Test("a copy of a store description has all its options and pragmas")
  func descriptions() throws {
    let shop = try Biblioteca()
    let description = NSPersistentStoreDescription(url: shop.url("out/Diario.sqlite"))
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.timeout = 3
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy.options == description.options && copy.sqlitePragmas == description.sqlitePragmas)
    #expect(copy.timeout == 3 && copy.url == description.url)
    let container = NSPersistentContainer(name: "Biblioteca", managedObjectModel: try shop.model(1))
    container.persistentStoreDescriptions = [copy]
    #expect(load(container).map { "\($0 as Any)" } == ["nil"])
    #expect(try Data(contentsOf: shop.url("out/Diario.sqlite"))[18] == 1)
  }

  @Test("the folder that a subclass chooses is made; the error names a missing model")
  func folders() throws {
    let shop = try Biblioteca()
    Folder.url.withLock { $0 = shop.url("datos/app") }
    let container = Container(name: "Biblioteca", managedObjectModel: try shop.model(1))
    #expect(container.persistentStoreDescriptions.map(\.url) == [shop.url("datos/app/Biblioteca.sqlite")])
    #expect(load(container).map { "\($0 as Any)" } == ["nil"])
    #expect(FileManager.default.fileExists(atPath: shop.url("datos/app/Biblioteca.sqlite").path))
    let missing = Container(name: "NoSuchModelAnywhere")
    let error = load(missing).first as? CoreDataError
    #expect(error?.message.contains("“NoSuchModelAnywhere”") == true)
    #expect(
      NSPersistentContainer.defaultDirectoryURL().lastPathComponent == ProcessInfo.processInfo.processName)
  }

  private final class Container: NSPersistentContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL {
      Folder.url.withLock { $0 } ?? super.defaultDirectoryURL()
    }
  }
}

private enum Folder {
  static let url = Mutex<URL?>(nil)
}
