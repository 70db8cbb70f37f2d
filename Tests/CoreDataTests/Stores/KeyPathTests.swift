import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("Key paths, sort descriptors and arguments of apps")
struct KeyPathTests {
  private func context() throws -> NSManagedObjectContext {
    let shop = try Biblioteca()
    let coordinator = try shop.coordinator(1)
    for type in [Autor.self, Obra.self, Novela.self, Tema.self] { coordinator.registry.add(type) }
    try coordinator.addPersistentStore(type: .sqlite, at: try shop.makeStore())
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func objects(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: entity == "Obra" ? "titulo" : "nombre", ascending: true)]
    return try context.fetch(request)
  }

  @Test("key paths lead through objects, sets, lists and dictionaries, with operators")
  func paths() throws {
    let context = try context()
    let ana = try #require(try objects("Autor", context).first)
    #expect(ana.value(forKeyPath: "obras.@sum.paginas") as? Int == 30)
    #expect(ana.value(forKeyPath: "obras.@max.paginas") as? Int == 20)
    #expect(ana.value(forKeyPath: "obras.@count") as? Int == 2)
    #expect(ana.value(forKeyPath: "nombre.length") as? Int == 3)
    #expect((ana.value(forKeyPath: "obras.titulo") as? NSOrderedSet)?.array as? [String] == ["Dos", "Uno"])
    let uno = try #require(try objects("Obra", context).last)
    #expect(uno.value(forKeyPath: "temas.nombre") as? Set<String> == ["mar", "sol"])
    #expect(uno.value(forKeyPath: "autor.obras.@count") as? Int == 2)
    #expect(ana.value(forKeyPath: "obras.@distinctUnionOfObjects.autor") as? [NSManagedObject] == [ana])
    #expect(ana.value(forKeyPath: "obras.@unionOfObjects.autor") as? [NSManagedObject] == [ana, ana])
    // save() throws for wrong keys: there was none so far.
    try context.save()
    #expect(ana.value(forKeyPath: "nombre.nada") == nil)
    let error = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(error?.message.contains("“nada”") == true, "\(error as Any)")
  }

  @Test("an object isn't taken for the object of another store with the same key")
  func twoStores() throws {
    let shop = try Biblioteca()
    let coordinator = try shop.coordinator(1)
    for name in ["in/Libros.sqlite", "in/Otros.sqlite"] {
      try coordinator.addPersistentStore(type: .sqlite, at: try shop.makeStore(name))
    }
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let authors = try objects("Autor", context).prefix(2)
    let (one, other) = (try #require(authors.first), try #require(authors.last))
    #expect(one.objectID != other.objectID && one.value(forKey: "nombre") as? String == "Ana")
    for (own, foreign) in [(one, other), (other, one)] {
      let variables: NSMutableDictionary = ["other": foreign]
      let value = NSExpression(format: "$other").expressionValue(with: own, context: variables)
      #expect(value as? NSManagedObject === foreign)
      #expect(own.value(forKeyPath: "obras.@distinctUnionOfObjects.autor") as? [NSManagedObject] == [own])
    }
  }

  @Test("a key path reads a dictionary's entries, and can't set them")
  func dictionaries() throws {
    let address: [String: Any] = ["calle": "Mayor", "plano": ["x": 1] as NSDictionary, "pisos": [1, 2]]
    #expect(try KeyPathValue.value("dir.calle", of: ["dir": address]) as? String == "Mayor")
    #expect(try KeyPathValue.value("dir.plano.x", of: ["dir": address] as NSDictionary) as? Int == 1)
    #expect(try KeyPathValue.value("dir.pisos.@max.self", of: ["dir": address]) as? Int == 2)
    #expect(try KeyPathValue.value("dir.nada.x", of: ["dir": address]) == nil)
    #expect(
      try KeyPathValue.value("a.b", of: [["a": ["b": 1]], ["a": [:]]]) as? [NSObject] == [
        1 as NSNumber, NSNull(),
      ])
    #expect(throws: PolicyProblem.self) { try KeyPathValue.value("a.b", of: ["a": NSObject()]) }
    let context = try context()
    let obra = try #require(try objects("Obra", context).last)
    obra.setValue("x", forKeyPath: "titulo.calle")
    let error = #expect(throws: CoreDataError.self) { try context.save() }
    #expect(error?.message.contains("set a new value for “titulo”") == true, "\(error as Any)")
    // Nothing is set if the key path's object is nil.
    let none = try #require(try objects("Obra", context).first { $0.value(forKey: "autor") == nil })
    none.setValue("x", forKeyPath: "autor.nombre")
    try context.save()
  }

  @Test("arrays and sets are sorted by keys in memory; nil comes first")
  func sorting() throws {
    let texts: NSArray = ["bb", "a", "ccc", "Z"]
    #expect(
      texts.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [String] == [
        "Z", "a", "bb", "ccc",
      ])
    #expect(
      texts.sortedArray(using: [
        NSSortDescriptor(key: "length", ascending: false), NSSortDescriptor(key: nil, ascending: true),
      ])
        as? [String] == ["ccc", "bb", "Z", "a"])
    let rows: NSArray = [["n": 10], ["n": 9], [:]]
    let sorted = rows.sortedArray(using: [NSSortDescriptor(key: "n", ascending: true)])
    #expect(sorted.map { ($0 as? [String: Int])?["n"] } == [nil, 9, 10])
    let context = try context()
    let obras = NSSet(array: try objects("Obra", context))
    let byPages = obras.sortedArray(using: [NSSortDescriptor(key: "paginas", ascending: false)])
    #expect(byPages.map { ($0 as? Obra)?.titulo } == ["Cuatro", "Tres", "Dos", "Uno", nil])
    let byAuthor = obras.sortedArray(using: [
      NSSortDescriptor(key: "autor.nombre", ascending: true), NSSortDescriptor(key: "paginas", ascending: true),
    ])
    #expect(byAuthor.map { ($0 as? Obra)?.titulo } == [nil, "Cuatro", "Uno", "Dos", "Tres"])
    let down = try #require(
      NSSortDescriptor(key: "self", ascending: true).reversedSortDescriptor as? NSSortDescriptor)
    #expect(texts.sortedArray(using: [down]) as? [String] == ["ccc", "bb", "a", "Z"])
  }

  @Test("Swift key paths of stored properties sort a fetch and objects in memory, as their keys do")
  func swiftKeyPaths() throws {
    let context = try context()
    func same<Kind: NSManagedObject, Value>(_ type: Kind.Type, _ keyPath: KeyPath<Kind, Value>, _ key: String)
      throws
    {
      for ascending in [true, false] {
        let request = NSFetchRequest<Kind>(entityName: "\(type)")
        let last = NSSortDescriptor(key: type == Autor.self ? "nombre" : "titulo", ascending: true)
        request.sortDescriptors = [NSSortDescriptor(keyPath: keyPath, ascending: ascending), last]
        let found = try context.fetch(request)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending), last]
        #expect(try context.fetch(request) == found && found.count > 1, "\(key)")
        let set = NSSet(array: found)
        #expect(
          set.sortedArray(using: [NSSortDescriptor(keyPath: keyPath, ascending: ascending)]).map {
            "\(($0 as? Kind)?.value(forKeyPath: key) ?? "nil")"
          } == found.map { "\($0.value(forKeyPath: key) ?? "nil")" }, "\(key)")
        let reversed = NSSortDescriptor(keyPath: keyPath, ascending: !ascending).reversedSortDescriptor
        request.sortDescriptors = [try #require(reversed as? NSSortDescriptor), last]
        #expect(try context.fetch(request) == found)
      }
    }
    try same(Obra.self, \.titulo, "titulo")
    try same(Obra.self, \.paginas, "paginas")
    try same(Obra.self, \.publicada, "publicada")
    try same(Obra.self, \.autor?.nombre, "autor.nombre")
    try same(Autor.self, \.nombre, "nombre")
  }

  @Test("a fetch refuses a key path that isn't one of the model's properties, or is of another class")
  func otherKeyPaths() throws {
    let context = try context()
    func message(_ sort: NSSortDescriptor) -> String {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
      request.sortDescriptors = [sort]
      let error = #expect(throws: CoreDataError.self) { try context.fetch(request) }
      return error?.message ?? ""
    }
    let capital = message(NSSortDescriptor(keyPath: \Obra.capital, ascending: true))
    let whole = message(NSSortDescriptor(keyPath: \Obra.todo, ascending: true))
    let nothing = message(NSSortDescriptor(keyPath: \Obra.nada, ascending: true))
    for message in [capital, whole, nothing] {
      #expect(message.contains("a fetch of “Obra”") && message.contains("in memory"), "\(message)")
    }
    let tema = message(NSSortDescriptor(keyPath: \Tema.nombre, ascending: true))
    #expect(tema.contains("of Tema, but its objects are of class Obra"), "\(tema)")
    #expect(
      message(NSSortDescriptor(keyPath: \String.count, ascending: true)).contains("managed object classes"))
  }

  @Test("objects, IDs, dates and collections are arguments with “as CVarArg”, also of String(format:)")
  func arguments() throws {
    let context = try context()
    let ana = try #require(try objects("Autor", context).first)
    func count(_ format: String, _ argument: any CVarArg) throws -> Int {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
      request.predicate = NSPredicate(format: format, argument)
      return try context.count(for: request)
    }
    #expect(try count("autor == %@", ana as any CVarArg) == 2)
    #expect(try count("autor == %@", ana.objectID as any CVarArg) == 2)
    #expect(try count("publicada > %@", Date(timeIntervalSinceReferenceDate: 50) as any CVarArg) == 3)
    #expect(try count("publicada > %@", NSDate(timeIntervalSinceReferenceDate: 50) as any CVarArg) == 3)
    #expect(try count("titulo IN %@", ["Uno", "Dos"] as any CVarArg) == 2)
    #expect(try count("paginas == %@", NSNumber(value: 10) as any CVarArg) == 1)
    let id = UUID()
    #expect(String(format: "%@ of %@", id as any CVarArg, ["a"] as any CVarArg) == "\(id) of [\"a\"]")
  }

  @Test("fetchRequest() of a class without its own method is for the class, with either result type")
  func requests() throws {
    final class Tema: NSManagedObject {}
    let any: NSFetchRequest<any NSFetchRequestResult> = Tema.fetchRequest()
    #expect(any.entityName == "Tema")
    let own = Tema.fetchRequest()
    #expect(type(of: own) == NSFetchRequest<Tema>.self && own.entityName == "Tema")
    func request<Kind: NSManagedObject>(_ type: Kind.Type) -> NSFetchRequest<Kind> { type.fetchRequest() }
    #expect(request(Tema.self).entityName == "Tema")
  }

  @Test("a missing object is Core Data's error 133000")
  func missing() throws {
    let context = try context()
    let ana = try #require(try objects("Autor", context).first)
    let url = try #require(
      URL(string: ana.objectID.uriRepresentation().absoluteString.replacing("/p1", with: "/p99")))
    let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
    let error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectReferentialIntegrityError)
    do {
      throw CoreDataError(NSMigrationCancelledError, "")
    } catch CocoaError.migrationCancelled {
    }
  }
}

extension Obra {
  fileprivate var capital: String { (titulo ?? "").uppercased() }
  fileprivate var todo: String { "\(titulo ?? "") \(paginas)" }
  fileprivate var nada: Int { 7 }
}
