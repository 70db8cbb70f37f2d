import CoreData

/// Makes a category for each distinct text, and puts the notes with this text into it.
final class CategoriaPolicy: NSEntityMigrationPolicy {
  /// The categories by the UTF-8 bytes of their names.
  ///
  /// In a dictionary with `String` keys, “ñ” as one code point and “n” with a tilde are one key. For Core Data, SQLite
  /// and `uniqueBy` they are two texts.
  private var categorias: [Data: NSManagedObject] = [:]

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try super.begin(mapping, with: manager)
    categorias = [:]
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    // The base class makes the note with the values that are mapped by name, and associates it.
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let nombre = sInstance.value(forKey: "categoria") as? String else { return }
    let categoria = categoria(named: nombre, in: manager.destinationContext)
    for nota in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]) {
      nota.mutableSetValue(forKey: "categorias").add(categoria)
    }
  }

  private func categoria(named nombre: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let key = Data(nombre.utf8)
    if let known = categorias[key] { return known }
    let categoria = NSEntityDescription.insertNewObject(forEntityName: "Categoria", into: context)
    categoria.setValue(nombre, forKey: "nombre")
    categorias[key] = categoria
    return categoria
  }
}
