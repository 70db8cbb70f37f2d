// swift-format-ignore-file: NeverForceUnwrap
// Apps cast like this, and their code has to compile.

import CoreData

/// Writes a string made from an array, and an array made from a string.
///
/// It stands for: forced casts of transformable values, and `setValue(_:forKey:)` with arrays and dictionaries.
final class EtiquetasPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let nuevo = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    nuevo.setValue(sInstance.value(forKey: "titulo"), forKey: "titulo")
    let etiquetas = sInstance.value(forKey: "etiquetas") as! [String]  // The model says an array.
    nuevo.setValue(etiquetas.joined(separator: ", "), forKey: "resumen")
    let autores = (sInstance.primitiveValue(forKey: "autor") as? String)?.components(separatedBy: " y ")
    nuevo.setValue(autores, forKey: "autores")
    if var ficha = sInstance.value(forKey: "ficha") as? [String: Any] {
      ficha["etiquetas"] = etiquetas
      nuevo.setValue(ficha, forKey: "ficha")
    }
    nuevo.setValue(sInstance.value(forKey: "color"), forKey: "color")
    nuevo.setValue(sInstance.value(forKey: "portada"), forKey: "portada")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: nuevo, for: mapping)
  }
}
