// Written by “decant classes”; compile it into a worker and register Nota.self there.

import CoreData

class Nota: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Nota> {
    NSFetchRequest<Nota>(entityName: "Nota")
  }

  var categoria: String? {
    get { value(forKey: "categoria") as? String }
    set { setValue(newValue, forKey: "categoria") }
  }

  var contenido: String? {
    get { value(forKey: "contenido") as? String }
    set { setValue(newValue, forKey: "contenido") }
  }

  var etiquetas: NSSet? {
    get { value(forKey: "etiquetas") as? NSSet }
    set { setValue(newValue, forKey: "etiquetas") }
  }

  func addToEtiquetas(_ value: Etiqueta) {
    mutableSetValue(forKey: "etiquetas").add(value)
  }

  func removeFromEtiquetas(_ value: Etiqueta) {
    mutableSetValue(forKey: "etiquetas").remove(value)
  }

  func addToEtiquetas(_ values: NSSet) {
    mutableSetValue(forKey: "etiquetas").addObjects(from: values.allObjects)
  }

  func removeFromEtiquetas(_ values: NSSet) {
    for value in values.allObjects { mutableSetValue(forKey: "etiquetas").remove(value) }
  }

  var fecha: Date? {
    get { value(forKey: "fecha") as? Date }
    set { setValue(newValue, forKey: "fecha") }
  }
}
