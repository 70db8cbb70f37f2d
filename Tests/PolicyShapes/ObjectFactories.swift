import CoreData

// It stands for: `T(context:)` in generic code, `Self(context:)`, and initialisers of the app's own classes.

extension NSManagedObjectContext {
  /// Makes an object of any class.
  func make<T: NSManagedObject>(_ type: T.Type = T.self) -> T { T(context: self) }
}

protocol Named: NSManagedObject {
  var nombre: String? { get set }
}

extension Named {
  /// The first object with that name, or a new object.
  static func named(_ nombre: String, in context: NSManagedObjectContext) throws -> Self {
    let request = NSFetchRequest<Self>(entityName: "Categoria")
    request.predicate = NSPredicate(format: "nombre == %@", nombre)
    if let known = try context.fetch(request).first { return known }
    let object = Self(context: context)
    object.nombre = nombre
    return object
  }
}

extension Categoria: Named {
  convenience init(nombre: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.nombre = nombre
  }
}

/// A class with its own designated initialiser, and with an initialiser that has the same form as Core Data's.
class NotaPropia: Nota {
  let origen: String

  init(orden: Int16, context: NSManagedObjectContext) {
    origen = "init"
    super.init(
      entity: NSEntityDescription.entity(forEntityName: "Nota", in: context) ?? NSEntityDescription(),
      insertInto: context)
    self.orden = orden
  }

  required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    origen = "entity"
    super.init(entity: entity, insertInto: context)
  }

  /// Apps write such an initialiser for tests with several models.
  convenience init(context: NSManagedObjectContext) {
    self.init(orden: 7, context: context)
  }
}

class FactoryPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let orden = (sInstance.value(forKey: "orden") as? Int16) ?? 0
    let nota: Nota =
      switch orden {
      case 1: NotaPropia(context: context)
      case 2: NotaPropia(orden: 8, context: context)
      default: context.make(Nota.self)
      }
    nota.texto = sInstance.value(forKey: "texto") as? String
    nota.momento = sInstance.value(forKey: "fecha") as? Date
    nota.titulo = (nota as? NotaPropia)?.origen
    if let nombre = sInstance.value(forKey: "categoria") as? String {
      let categoria =
        nombre == "calle"
        ? Categoria(nombre: nombre, context: context) : try Categoria.named(nombre, in: context)
      nota.addToCategorias(categoria)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: nota, for: mapping)
  }
}
