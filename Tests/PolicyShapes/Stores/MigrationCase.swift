// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// An app's test of a migration: it migrates a copy of a fixture, opens the result, and reads objects by class.
///
/// It stands for: contexts over a result, requests by class, sets of relationships, `registeredObjects`,
/// `hasChanges`.
final class MigrationCase {
  private(set) var failures: [String] = []
  private var context: NSManagedObjectContext!

  func setUp(migrating fixture: URL, with bundle: Bundle, in folder: URL) throws {
    let copy = folder.appendingPathComponent("Prueba.sqlite")
    try FileManager.default.copyItem(at: fixture, to: copy)
    try StepMigrator(bundle: bundle).migrateStore(at: copy, toVersion: .current)
    context = try NSManagedObjectContext.open(
      model: NotasVersion.current.model(in: bundle), storeURL: copy)
  }

  func tearDown() {
    context = nil
  }

  func testCountsAndValues() throws {
    let request: NSFetchRequest<Nota> = Nota.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "momento", ascending: true)]
    let notas = try context.fetch(request)
    assertEqual(notas.count, 5, "notes")
    assertEqual(notas.first?.texto, "a", "first text")
    assertEqual(notas.last?.momento, Date(timeIntervalSinceReferenceDate: 40), "last moment")
    assertEqual(notas.map { $0.categorias?.count ?? 0 }, [1, 0, 1, 1, 1], "categories")
  }

  func testRelationships() throws {
    let request: NSFetchRequest<Categoria> = Categoria.fetchRequest()
    request.predicate = NSPredicate(format: "nombre == %@", "casa")
    let casa = try context.fetch(request).first!
    let notas = casa.notas as! Set<Nota>  // Apps cast an `NSSet` like this: each object has to be a `Nota`.
    assertEqual(notas.compactMap { $0.texto }.sorted(), ["a", "e"], "notes of “casa”")
    for nota in notas {
      assertEqual(nota.categorias?.contains(casa), true, "the other way")
      assertEqual(try? context.existingObject(with: nota.objectID) as? Nota, nota, "by ID")
      assertEqual(context.registeredObjects.contains(nota), true, "registered")
    }
  }

  func testNothingElse() throws {
    let names = context.persistentStoreCoordinator!.managedObjectModel.entities.compactMap { $0.name }
    assertEqual(names.sorted(), ["Categoria", "Nota"], "entities")
    let counts = try names.sorted().map { name in
      try context.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: name))
    }
    assertEqual(counts, [2, 5], "counts")
    assertEqual(context.hasChanges, false, "changes")
  }

  private func assertEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
    if found != expected { failures.append("\(what): \(found) is not \(expected)") }
  }
}

extension NSManagedObjectContext {
  fileprivate static func open(model: NSManagedObjectModel, storeURL: URL) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
