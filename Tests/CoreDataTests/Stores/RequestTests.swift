import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

/// The class of the entity `Tema` in `RequestTests`.
final class Materia: NSManagedObject {
  var nombre: String? { value(forKey: "nombre") as? String }
}

@Suite("Requests that name an entity by its class, and orders and predicates in memory")
struct RequestTests {
  /// A context over a store, in whose model the entity `Tema` has the class `Materia`.
  private func context(_ shop: Biblioteca) throws -> NSManagedObjectContext {
    let file = shop.url("Models/Biblioteca.xcdatamodeld/B1.xcdatamodel/contents")
    let text = try String(contentsOf: file, encoding: .utf8)
    let made = text.replacing("representedClassName=\"Tema\"", with: "representedClassName=\"Materia\"")
    try shop.folder.write(made, to: "Own/Own.xcdatamodel/contents")
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel.model(at: shop.url("Own/Own.xcdatamodel")))
    coordinator.registry.add(Materia.self)
    for type in [Autor.self, Obra.self, Novela.self] { coordinator.registry.add(type) }
    try coordinator.addPersistentStore(type: .sqlite, at: try shop.makeStore())
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("a request that names the entity by its class can sort by Swift key paths, and gives dictionaries")
  func classes() throws {
    let context = try context(try Biblioteca())
    let request = NSFetchRequest<Materia>(entityName: "Materia")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Materia.nombre, ascending: false)]
    #expect(try context.fetch(request).map(\.nombre) == ["sol", "mar"])
    #expect(try context.count(for: request) == 2)
    let rows = NSFetchRequest<NSDictionary>(entityName: "Materia")
    rows.resultType = .dictionaryResultType
    #expect(try context.fetch(rows) == [["nombre": "mar"], ["nombre": "sol"]])
  }

  @Test("now() is the current time, also in a predicate that isn't SQL")
  func now() throws {
    let context = try context(try Biblioteca())
    let request = NSFetchRequest<NSManagedObject>(entityName: "Obra")
    for further in ["", " AND SUBQUERY({1, 2}, $x, $x > 1).@count == 1"] {
      request.predicate = NSPredicate(format: "publicada < now()" + further)
      #expect(try context.count(for: request) == 4)
    }
  }

  @Test("data are sorted by bytes, over two stores and in memory")
  func data() throws {
    let shop = try Biblioteca()
    let context = try context(shop)
    try context.persistentStoreCoordinator?.addPersistentStore(
      type: .sqlite, at: shop.makeStore("out/Otros.sqlite"))
    let request = NSFetchRequest<Obra>(entityName: "Obra")
    request.predicate = NSPredicate(format: "portada != nil")
    request.sortDescriptors = [NSSortDescriptor(key: "portada", ascending: true)]
    let covers = try context.fetch(request).map(\.portada)
    #expect(covers == ["ABC", "ABC", "portada de Uno", "portada de Uno"].map { Data($0.utf8) })
    let list: NSArray = [Data([2]), Data([1, 1]), Data([1])]
    #expect(
      list.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [Data] == [
        Data([1]), Data([1, 1]), Data([2]),
      ])
  }

  @Test("a fetch in a context without a coordinator says so")
  func noCoordinator() throws {
    let context = NSManagedObjectContext(.privateQueue)
    let error = #expect(throws: (any Error).self) { try context.fetch(Obra.fetchRequest()) }
    #expect(error.map { "\($0)" }?.contains("has no persistentStoreCoordinator") == true, "\(error as Any)")
  }

  @Test("expressions that are equal have the same hash")
  func expressions() {
    let expressions = ["a+1", "a + 1", "a + 2", "a +", "a +"].map { NSExpression(format: $0) }
    #expect(expressions[0] == expressions[1] && expressions[0].hash == expressions[1].hash)
    #expect(Set(expressions).count == 4)
  }
}
