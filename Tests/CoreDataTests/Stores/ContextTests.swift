import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("Contexts over opened stores")
struct ContextTests {
  /// A context over a store of the first version.
  private func context(
    _ shop: Biblioteca, _ url: URL? = nil, options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = try shop.coordinator(1)
    for type in [Autor.self, Obra.self, Novela.self, Tema.self] { coordinator.registry.add(type) }
    // Apps often make the context before they add the store.
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: try url ?? shop.makeStore(), options: options)
    return context
  }

  private func titles(_ objects: [NSManagedObject]) -> [String] {
    objects.map { $0.value(forKey: "titulo") as? String ?? "-" }
  }

  @Test("values of every kind, in stores with a log and with a journal", arguments: Biblioteca.Sibling.allCases)
  func values(sibling: Biblioteca.Sibling) throws {
    let shop = try Biblioteca()
    let url = try shop.makeStore(with: sibling)
    let before = try shop.files("in")
    let context = try context(shop, url)
    let request: NSFetchRequest<Obra> = Obra.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "paginas", ascending: true)]
    let obras = try context.fetch(request)
    #expect(titles(obras) == ["-", "Uno", sibling == .log ? "Del log" : "Dos", "Tres", "Cuatro"])
    #expect(obras[1].paginas == 10 && obras[1].publicada == Date(timeIntervalSinceReferenceDate: 0))
    #expect(obras[1].portada == Data("portada de Uno".utf8) && obras[2].portada == Data("ABC".utf8))
    #expect(obras[0].titulo == nil && obras[0].value(forKey: "paginas") == nil)
    let novela = try #require(obras[3] as? Novela)
    #expect(novela.leida && novela.entity.name == "Novela" && novela.entity.superentity?.name == "Obra")
    #expect(try shop.files("in") == before)
  }

  @Test("to-one, to-many and ordered relationships lead to the same objects from both ends")
  func relationships() throws {
    let context = try context(try Biblioteca())
    let request: NSFetchRequest<Autor> = Autor.fetchRequest()
    request.predicate = NSPredicate(format: "nombre == %@", "Ana")
    let ana = try #require(try context.fetch(request).first)
    let obras = ana.obras?.array as? [Obra] ?? []
    #expect(titles(obras) == ["Dos", "Uno"])
    #expect(obras.allSatisfy { $0.autor === ana })
    let uno = try #require(obras.last)
    let temas = (uno.temas as? Set<Tema> ?? []).sorted { $0.nombre ?? "" < $1.nombre ?? "" }
    #expect(temas.map(\.nombre) == ["mar", "sol"])
    #expect((temas[0].obras as? Set<Obra>)?.contains(uno) == true && temas[0].obras?.count == 2)
    #expect(uno.value(forKeyPath: "autor.nombre") as? String == "Ana")
    #expect(uno.value(forKeyPath: "temas.@count") as? Int == 2)
    #expect(uno.mutableSetValue(forKey: "temas").count == 2)
    #expect(uno.managedObjectContext === context)
  }

  @Test("requests: predicates, sorting, limits, offsets, subentities, counts, IDs and dictionaries")
  func requests() throws {
    let context = try context(try Biblioteca())
    let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
    request.sortDescriptors = [NSSortDescriptor(key: "paginas", ascending: false)]
    request.predicate = NSPredicate(format: "paginas >= %d AND titulo != nil", 20)
    #expect(titles(try context.fetch(request)) == ["Cuatro", "Tres", "Dos"])
    (request.fetchLimit, request.fetchOffset) = (1, 1)
    #expect(titles(try context.fetch(request)) == ["Tres"])
    (request.fetchLimit, request.fetchOffset) = (0, 0)
    #expect(try context.count(for: request) == 3)
    request.includesSubentities = false
    #expect(titles(try context.fetch(request)) == ["Dos"])
    request.predicate = NSPredicate(format: "ANY temas.nombre == 'mar'")
    request.includesSubentities = true
    #expect(titles(try context.fetch(request)) == ["Tres", "Uno"])
    request.predicate = NSPredicate(format: "autor.nombre BEGINSWITH[cd] 'á'")
    #expect(titles(try context.fetch(request)) == ["Dos", "Uno"])
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Tema")
    ids.resultType = .managedObjectIDResultType
    #expect(try context.fetch(ids).map(\.key) == [1, 2])
    let rows = NSFetchRequest<NSDictionary>(entityName: "Tema")
    rows.resultType = .dictionaryResultType
    rows.propertiesToFetch = ["nombre"]
    #expect(try context.fetch(rows).map { $0["nombre"] as? String } == ["mar", "sol"])
    // Swift also allows a request of NSManagedObject itself.
    let plain: NSFetchRequest<any NSFetchRequestResult> = NSManagedObject.fetchRequest()
    plain.entityName = "Tema"
    #expect(try context.fetch(plain).count == 2)
  }

  @Test(
    "entities are compared with descriptions, in fetches and in memory",
    arguments: ["entity == %@", "self.entity == %@", "SELF.entity = %@", "entity IN {%@}"])
  func entities(format: String) throws {
    let context = try context(try Biblioteca())
    let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
    request.sortDescriptors = [NSSortDescriptor(key: "paginas", ascending: true)]
    let all = try context.fetch(request)
    let novela = try #require(NSEntityDescription.entity(forEntityName: "Novela", in: context))
    let predicate = NSPredicate(format: format, novela)
    request.predicate = predicate
    let found = try context.fetch(request)
    #expect(!found.isEmpty && found.count < all.count)
    #expect(found.allSatisfy { $0.entity.name == "Novela" })
    #expect(all.filter { predicate.evaluate(with: $0) } == found)
    // An entity doesn't equal its superentity.
    let obra = try #require(NSEntityDescription.entity(forEntityName: "Obra", in: context))
    request.predicate = NSPredicate(format: "NOT (\(format))", obra)
    #expect(try context.fetch(request) == found)
    request.predicate = NSPredicate(format: "entity.name == %@", "Novela")
    #expect(try context.fetch(request) == found)
  }

  @Test("a predicate that can't be parsed counts as false in memory, and the error says why")
  func unusablePredicate() throws {
    let predicate = try #require(NSPredicate(format: "paginas >") as? FormattedPredicate)
    #expect(!predicate.evaluate(with: 1))
    let error = #expect(throws: CoreDataError.self) { try predicate.holds(for: 1, [:]) }
    #expect(error?.message.contains("“paginas >” can't be used") == true, "\(error as Any)")
  }

  @Test("a wrong request throws; a wrong key gives nil, and save() throws an error about it")
  func mistakes() throws {
    let context = try context(try Biblioteca())
    let request = NSFetchRequest<NSManagedObject>(entityName: "Nada")
    #expect(throws: CoreDataError.self) { try context.fetch(request) }
    request.entityName = "Obra"
    for format in ["titulo ===", "nada == 1"] {
      request.predicate = NSPredicate(format: format)
      #expect(throws: CoreDataError.self) { try context.fetch(request) }
    }
    request.predicate = nil
    request.sortDescriptors = [NSSortDescriptor(key: "nada", ascending: true)]
    #expect(throws: CoreDataError.self) { try context.fetch(request) }
    let obra = try #require(try context.fetch(Obra.fetchRequest()).first)
    #expect(obra.value(forKey: "titlo") == nil)
    #expect(!context.hasChanges)
    let error = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(error?.message.contains("perhaps “titulo” is meant") == true, "\(error as Any)")
  }

  @Test("objects are found by ID, a row has one object in a context, and isFault is right")
  func identities() throws {
    let context = try context(try Biblioteca())
    let coordinator = try #require(context.persistentStoreCoordinator)
    let obra = try #require(try context.fetch(Obra.fetchRequest()).first)
    #expect(obra.isFault)
    #expect(obra.titulo == "Uno" && !obra.isFault)
    context.refresh(obra, mergeChanges: false)
    #expect(obra.isFault && obra.titulo == "Uno")
    let url = obra.objectID.uriRepresentation()
    let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
    #expect(id == obra.objectID && context.object(with: id) === obra)
    #expect(try context.existingObject(with: id) === obra)
    #expect(context.registeredObject(for: id) === obra)
    #expect(context.registeredObjects.contains(obra))
    let missing = try #require(
      URL(string: url.absoluteString.replacingOccurrences(of: "/p1", with: "/p77")))
    let none = try #require(coordinator.managedObjectID(forURIRepresentation: missing))
    #expect(throws: (any Error).self) { try context.existingObject(with: none) }
    let loaded = NSFetchRequest<Obra>(entityName: "Obra")
    loaded.returnsObjectsAsFaults = false
    context.reset()
    #expect(try context.fetch(loaded).allSatisfy { !$0.isFault })
    #expect(try context.fetch(loaded).first !== obra && obra.titulo == "Uno")
  }

  @Test(
    "a context registers only objects that are in use, and an object keeps its store but not its context alive")
  func lifetimes() throws {
    let shop = try Biblioteca()
    var context: NSManagedObjectContext? = try context(shop)
    weak let coordinator = context?.persistentStoreCoordinator
    weak let watched = context
    _ = try context?.fetch(Obra.fetchRequest())
    #expect(context?.registeredObjects.isEmpty == true)
    var obra = try context?.fetch(Obra.fetchRequest()).first
    #expect(context?.registeredObjects.count == 1)
    context = nil
    #expect(watched == nil)
    #expect(obra?.titulo == "Uno" && obra?.managedObjectContext == nil)
    obra = nil
    #expect(coordinator == nil)
  }

  @Test("save() refuses each change and names the store; rollback() forgets the change", arguments: 0..<6)
  func readOnly(kind: Int) throws {
    let shop = try Biblioteca()
    let context = try context(shop)
    let before = try shop.files("in")
    let obra = try #require(try context.fetch(Obra.fetchRequest()).first)
    try context.save()
    #expect(!context.hasChanges)
    switch kind {
    case 0: obra.titulo = "Otro"
    case 1: context.delete(obra)
    case 2: _ = Tema(context: context)
    case 3: _ = NSEntityDescription.insertNewObject(forEntityName: "Tema", into: context)
    case 4: obra.mutableSetValue(forKey: "temas").removeAllObjects()
    default:
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Tema", in: context))
      context.insert(NSManagedObject(entity: entity, insertInto: nil))
    }
    #expect(context.hasChanges)
    let error = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(error?.code == NSPersistentStoreSaveError)
    #expect(error?.message.contains("Libros.sqlite is opened for reading only") == true, "\(error as Any)")
    if kind == 1 {
      #expect(error?.message.contains("Obra/p1 was to be deleted, but") == true, "\(error as Any)")
    }
    #expect(context.hasChanges && obra.titulo == "Uno")
    // The change is still there after the error.
    let again = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(again?.message == error?.message && context.hasChanges)
    context.reset()
    #expect(!context.hasChanges)
    try context.save()
    // save() first throws for a wrong key, then for the change.
    _ = obra.value(forKey: "nada")
    obra.setValue(1, forKey: "paginas")
    #expect(context.hasChanges)
    let mistake = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(mistake?.message.contains("nada") == true, "\(mistake as Any)")
    let refused = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(refused?.message.contains("is opened for reading only") == true, "\(refused as Any)")
    context.rollback()
    #expect(!context.hasChanges)
    try context.save()
    #expect(try shop.files("in") == before)
  }

  @Test("metadata that were set are written by save")
  func metadata() throws {
    let shop = try Biblioteca()
    let context = try context(shop)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    coordinator.setMetadata(["versión": "3"], for: store)
    #expect(context.hasChanges)
    try context.save()
    #expect(!context.hasChanges)
    let url = try #require(store.url)
    let written = try NSPersistentStoreCoordinator.metadataForPersistentStore(at: url)
    #expect(written["versión"] as? String == "3")
    #expect(try context.fetch(Obra.fetchRequest()).count == 5)
    let closed = try self.context(
      shop, shop.makeStore("out/Otros.sqlite"), options: [NSReadOnlyPersistentStoreOption: true])
    let other = try #require(closed.persistentStoreCoordinator?.persistentStores.first)
    #expect(other.isReadOnly)
    other.metadata["x"] = 1
    #expect(throws: CoreDataError.self) { try closed.save() }
  }

  @Test("a fetch reads two stores of one coordinator in order, and IDs find their store")
  func twoStores() throws {
    let shop = try Biblioteca()
    let context = try context(shop)
    let coordinator = try #require(context.persistentStoreCoordinator)
    #expect(try context.count(for: Obra.fetchRequest()) == 5)
    let other = try coordinator.addPersistentStore(
      type: .sqlite, at: shop.makeStore("out/Otros.sqlite", title: "Alfa"))
    let request = NSFetchRequest<Obra>(entityName: "Obra")
    request.sortDescriptors = [NSSortDescriptor(key: "titulo", ascending: true)]
    request.predicate = NSPredicate(format: "titulo != nil")
    #expect(
      titles(try context.fetch(request)) == ["Alfa", "Cuatro", "Cuatro", "Dos", "Dos", "Tres", "Tres", "Uno"])
    (request.fetchOffset, request.fetchLimit) = (1, 3)
    #expect(titles(try context.fetch(request)) == ["Cuatro", "Cuatro", "Dos"])
    #expect(try context.count(for: request) == 3)
    request.fetchOffset = 7
    #expect(try context.count(for: request) == 1)
    let url = try #require(URL(string: "x-coredata://\(other.identifier)/Obra/p1"))
    let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
    #expect((try context.existingObject(with: id) as? Obra)?.titulo == "Alfa")
    try coordinator.remove(other)
    #expect(try context.count(for: Obra.fetchRequest()) == 5)
  }

  @Test("a context without a store, and a child context")
  func parents() throws {
    let shop = try Biblioteca()
    let empty = NSManagedObjectContext(.privateQueue)
    #expect(empty.persistentStoreCoordinator == nil && empty.registeredObjects.isEmpty)
    #expect(throws: (any Error).self) { try empty.fetch(Obra.fetchRequest()) }
    empty.persistentStoreCoordinator = try shop.coordinator(1)
    let error = #expect(throws: CoreDataError.self) { try empty.fetch(Obra.fetchRequest()) }
    #expect(error?.message.contains("has no store") == true)
    let parent = try context(shop)
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    #expect(child.parent === parent && child.concurrencyType == .mainQueueConcurrencyType)
    let ours = try #require(try child.fetch(Obra.fetchRequest()).first)
    let theirs = try #require(try parent.fetch(Obra.fetchRequest()).first)
    #expect(ours !== theirs && ours.objectID == theirs.objectID && ours.managedObjectContext === child)
  }

  @Test("perform runs its block before it returns")
  func blocks() throws {
    let context = try context(try Biblioteca())
    var count = 0
    context.perform { count = (try? context.count(for: Obra.fetchRequest())) ?? 0 }
    #expect(count == 5)
    context.performAndWait { count = (try? context.count(for: Tema.fetchRequest())) ?? 0 }
    #expect(count == 2)
  }

  @Test("asynchronous blocks give values and errors, also on several threads")
  func asynchronousBlocks() async throws {
    let context = try context(try Biblioteca())
    let title = try await context.perform { try context.fetch(Obra.fetchRequest()).first?.titulo }
    #expect(title == "Uno")
    await #expect(throws: CoreDataError.self) {
      try await context.perform { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Nada")) }
    }
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (try? context.performAndWait {
            try context.fetch(Obra.fetchRequest()).reduce(0) { $0 + Int($1.paginas) }
          }) ?? 0
        }
      }
      for await sum in group { #expect(sum == 100) }
    }
  }

  @Test("an XML store is read as well")
  func xml() throws {
    let shop = try Biblioteca()
    let url = shop.url("in/Libros.xml")
    let object =
      "<object type=\"TEMA\" id=\"z102\"><attribute name=\"nombre\" type=\"string\">mar</attribute>"
      + "<relationship name=\"obras\" type=\"0/0\" destination=\"OBRA\"></relationship></object>"
    try XMLStoreText(try shop.model(1).model, next: 102, objects: object).data.write(to: url)
    let coordinator = try shop.coordinator(1)
    try coordinator.addPersistentStore(type: .xml, at: url)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    let temas = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tema"))
    #expect(temas.map { $0.value(forKey: "nombre") as? String } == ["mar"])
  }
}
