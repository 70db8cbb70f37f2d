import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

/// A class of an app for authors, which prepares values when an object is fetched.
final class Escritor: NSManagedObject {
  private(set) var saludo = ""

  class func fetchRequest() -> NSFetchRequest<Escritor> { NSFetchRequest<Escritor>(entityName: "Autor") }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    saludo = "Soy \(value(forKey: "nombre") as? String ?? "")"
    setPrimitiveValue(saludo.uppercased(), forKey: "grito")
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    saludo = "nuevo"
  }
}

@Suite("Rarely used methods of contexts, requests and stages")
struct SmallNameTests {
  /// The first version, with a fetched property and a transient attribute added to `Autor`.
  ///
  /// - Parameter predicate: The predicate of the fetched property, escaped for XML.
  private func model(_ shop: Biblioteca, _ predicate: String) throws -> NSManagedObjectModel {
    let file = shop.url("Models/Biblioteca.xcdatamodeld/B1.xcdatamodel/contents")
    let text = try String(contentsOf: file, encoding: .utf8)
    let own = try #require(text.firstRange(of: "name=\"Autor\" representedClassName=\"Autor\">"))
    let further = """
      <fetchedProperty name="cortas" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Obra"
        predicateString="\(predicate)"/></fetchedProperty>
      <attribute name="grito" optional="YES" transient="YES" attributeType="String"/>
      """
    let made = text[..<own.upperBound] + further + text[own.upperBound...]
    try shop.folder.write(String(made), to: "Own/Own.xcdatamodel/contents")
    return try NSManagedObjectModel.model(at: shop.url("Own/Own.xcdatamodel"))
  }

  private func context(
    _ shop: Biblioteca, _ predicate: String = "autor == $FETCH_SOURCE AND paginas &lt; 15"
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(shop, predicate))
    coordinator.registry.add(Escritor.self, as: "Autor")
    for type in [Obra.self, Novela.self, Tema.self] { coordinator.registry.add(type) }
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: try shop.makeStore(),
      options: [NSIgnorePersistentStoreVersioningOption: true])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func authors(_ context: NSManagedObjectContext) throws -> [Escritor] {
    let request: NSFetchRequest<Escritor> = Escritor.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "nombre", ascending: true)]
    return try context.fetch(request)
  }

  @Test(
    "awakeFromFetch runs when an object is fetched and when a relationship leads to it; transient values can be set"
  )
  func awaking() throws {
    let context = try context(try Biblioteca())
    let found = try authors(context)
    #expect(found.map(\.saludo) == ["Soy Ana", "Soy Bea"])
    #expect(found.map { $0.value(forKey: "grito") as? String } == ["SOY ANA", "SOY BEA"])
    #expect(!context.hasChanges)
    try context.save()
    context.reset()
    let request: NSFetchRequest<Obra> = Obra.fetchRequest()
    request.predicate = NSPredicate(format: "titulo == 'Uno'")
    let obra = try #require(try context.fetch(request).first)
    #expect((obra.value(forKey: "autor") as? Escritor)?.saludo == "Soy Ana")
  }

  @Test("a fetched property gives the objects of its request, with the object as $FETCH_SOURCE")
  func fetchedProperties() throws {
    let context = try context(try Biblioteca())
    let found = try authors(context)
    #expect((found[0].value(forKey: "cortas") as? [Obra])?.map(\.titulo) == ["Uno"])
    #expect((found[1].value(forKey: "cortas") as? [Obra])?.isEmpty == true)
    let second = try self.context(try Biblioteca(), "autor.nombre == $FETCH_SOURCE.nombre")
    let byKey = try authors(second)
    #expect((byKey[0].value(forKey: "cortas") as? [Obra])?.map(\.titulo) == ["Uno", "Dos"])
    let wrong = try self.context(try Biblioteca(), "autor == $OTHER")
    #expect(try authors(wrong)[0].value(forKey: "cortas") == nil)
    let error = #expect(throws: CoreDataError.self) { try wrong.save() }
    #expect(error?.message.contains("OTHER") == true, "\(error as Any)")
    withExtendedLifetime((context, second)) {}
  }

  @Test("execute() uses the context whose block runs, and is refused outside of one")
  func executing() throws {
    let shop = try Biblioteca()
    let (one, other) = (try context(shop), NSManagedObjectContext(.privateQueue))
    let request: NSFetchRequest<Escritor> = Escritor.fetchRequest()
    #expect(try one.performAndWait { try request.execute().count } == 2)
    var within: [Int] = []
    try one.performAndWait {
      within.append(try request.execute().count)
      other.performAndWait { within.append((try? request.execute().count) ?? -1) }
      within.append(try request.execute().count)
    }
    #expect(within == [2, -1, 2])
    let error = #expect(throws: CoreDataError.self) { try request.execute() }
    #expect(error?.message.contains("outside of a block of perform") == true)
  }

  @Test("affectedStores limits a fetch and a count to the given stores")
  func affected() throws {
    let shop = try Biblioteca()
    let context = try context(shop)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let second = shop.url("in/Otros.sqlite")
    let store = try coordinator.addPersistentStore(type: .sqlite, at: second)
    let request: NSFetchRequest<Escritor> = Escritor.fetchRequest()
    request.affectedStores = [store]
    #expect(try context.fetch(request).isEmpty)
    #expect(try context.count(for: request) == 0)
    request.affectedStores = coordinator.persistentStores
    #expect(try context.count(for: request) == 2)
    request.affectedStores = [coordinator.persistentStores[0]]
    #expect(try context.fetch(request).count == 2)
    request.affectedStores = []
    #expect(try context.fetch(request).isEmpty)
  }

  @Test("entity() is from the current context's model, otherwise from the latest model that has it")
  func entities() throws {
    let shop = try Biblioteca()
    let (one, two) = (try shop.model(1), try shop.model(2))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: one)
    let other = NSManagedObjectContext(.privateQueue)
    other.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: two)
    context.performAndWait { #expect(Novela.entity() === one.entitiesByName["Novela"]) }
    other.performAndWait { #expect(Novela.entity() === two.entitiesByName["Novela"]) }
    #expect(Novela.entity().name == "Novela")
    final class Nadie: NSManagedObject {}
    #expect(Nadie.entity().managedObjectModel == nil)
    withExtendedLifetime((context, other)) {}
  }

  @Test("a stage's handler has a container for the store before or after the stage; changes are refused")
  func container() throws {
    let shop = try AgendaShop(store: 1)
    let (one, two) = (
      try #require(NSManagedObjectModel(contentsOf: shop.file(1))),
      try #require(NSManagedObjectModel(contentsOf: shop.file(2)))
    )
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(model: one, versionChecksum: one.versionChecksum),
      to: NSManagedObjectModelReference(model: two, versionChecksum: two.versionChecksum))
    var seen: [String] = []
    let name = try #require(two.entities.first { !$0.isAbstract }?.name)
    stage.willMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        let count = try NSFetchRequest<NSManagedObject>(entityName: name).execute().count
        seen.append("will \(manager.container?.managedObjectModel == one) \(count)")
      }
    }
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
      seen.append("did \(manager.container?.managedObjectModel == two) \(count)")
    }
    let staged = NSStagedMigrationManager([stage])
    #expect(staged.container == nil)
    try staged.migrateStore(from: shop.source, to: shop.output, finalModel: two, callsHandlers: true)
    let count = try #require(seen.first?.split(separator: " ").last)
    #expect(seen == ["will true \(count)", "did true \(count)"])
    #expect(staged.container == nil)
    stage.didMigrateHandler = { manager, _ in
      // Apps ignore the error of save() like this.
      let context = try #require(manager.container).newBackgroundContext()
      _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      try? context.save()
    }
    let other = shop.folder.url.appendingPathComponent("other.sqlite")
    let error = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: other, finalModel: two, callsHandlers: true)
    }
    #expect(
      error?.message.hasPrefix(
        "\(shop.source.path): a handler of stage 1 of 1, which has no label, tried to change")
        == true, "\(error as Any)")
    #expect(error?.message.contains("/step-") == false, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: other.path))
  }
}
