import CoreData
import Foundation

@testable import PolicyShapes

final class CopiaPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let made = NSEntityDescription.insertNewObject(forEntityName: "Articulo", into: manager.destinationContext)
    made.setValue(sInstance.value(forKey: "titulo"), forKey: "titulo")
    for key in ["ficha", "portada", "ajeno"] {
      // Generated classes cast the value, and Swift then makes a new Data with the same bytes.
      made.setValue((sInstance.value(forKey: key) as? Data).map { Data(Array($0)) }, forKey: key)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}

final class LeePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    _ = sInstance.value(forKey: "etiquetas")
  }
}

/// Gives a value to an attribute of a new object.
class DaPolicy: NSEntityMigrationPolicy {
  var key: String { "" }
  var value: Any? { nil }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let made = NSEntityDescription.insertNewObject(forEntityName: "Articulo", into: manager.destinationContext)
    made.setValue(value, forKey: key)
  }
}

final class AjenoPolicy: DaPolicy {
  override var key: String { "ajeno" }
  override var value: Any? { ["a"] }
}

final class TonoFalsoPolicy: DaPolicy {
  override var key: String { "color" }
  override var value: Any? { "rojo" }
}

final class ObjetoPolicy: DaPolicy {
  override var key: String { "ficha" }
  override var value: Any? { Tono(rojo: 1, verde: 2, azul: 3) }
}

final class CirculoPolicy: DaPolicy {
  override var key: String { "ficha" }
  override var value: Any? {
    let list = NSMutableArray()
    list.add(list)
    return list
  }
}

final class BuscaPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let request = NSFetchRequest<NSManagedObject>(entityName: "Articulo")
    request.predicate = NSPredicate(format: "autores != nil")
    let count = try context.count(for: request)
    let made = NSEntityDescription.insertNewObject(forEntityName: "Articulo", into: context)
    made.setValue(sInstance.value(forKey: "titulo"), forKey: "titulo")
    made.setValue([sInstance.value(forKey: "titulo") as? String ?? ""], forKey: "autores")
    made.setValue("\(count)", forKey: "resumen")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}

/// Sets the values of the mapping model's value expressions.
final class ExpresionesPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let made = NSEntityDescription.insertNewObject(forEntityName: "Articulo", into: manager.destinationContext)
    let context: NSMutableDictionary = [NSMigrationSourceObjectKey: sInstance, NSMigrationManagerKey: manager]
    for property in mapping.attributeMappings ?? [] {
      guard let name = property.name else { continue }
      made.setValue(property.valueExpression?.expressionValue(with: sInstance, context: context), forKey: name)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}

/// Makes a `Portada` although no source value was read.
final class NuevaPolicy: DaPolicy {
  override var key: String { "portada" }
  override var value: Any? { Portada(titulo: "Nueva", paginas: 1) }
}

/// Copies the `ficha` of the article “A”, and sets a new Data with the same bytes in other articles.
final class IgualPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let made = NSEntityDescription.insertNewObject(forEntityName: "Articulo", into: manager.destinationContext)
    let title = sInstance.value(forKey: "titulo") as? String
    made.setValue(title, forKey: "titulo")
    made.setValue(title == "A" ? sInstance.value(forKey: "ficha") : Data([1, 2, 3]), forKey: "ficha")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}
