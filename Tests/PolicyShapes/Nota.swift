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

  var categorias: NSSet? {
    get { value(forKey: "categorias") as? NSSet }
    set { setValue(newValue, forKey: "categorias") }
  }

  func addToCategorias(_ value: Categoria) {
    mutableSetValue(forKey: "categorias").add(value)
  }

  func removeFromCategorias(_ value: Categoria) {
    mutableSetValue(forKey: "categorias").remove(value)
  }

  func addToCategorias(_ values: NSSet) {
    mutableSetValue(forKey: "categorias").addObjects(from: values.allObjects)
  }

  func removeFromCategorias(_ values: NSSet) {
    for value in values.allObjects { mutableSetValue(forKey: "categorias").remove(value) }
  }

  var fecha: Date? {
    get { value(forKey: "fecha") as? Date }
    set { setValue(newValue, forKey: "fecha") }
  }

  var momento: Date? {
    get { value(forKey: "momento") as? Date }
    set { setValue(newValue, forKey: "momento") }
  }

  var orden: Int16 {
    get { (value(forKey: "orden") as? NSNumber)?.int16Value ?? 0 }
    set { setValue(NSNumber(value: newValue), forKey: "orden") }
  }

  var texto: String? {
    get { value(forKey: "texto") as? String }
    set { setValue(newValue, forKey: "texto") }
  }

  var titulo: String? {
    get { value(forKey: "titulo") as? String }
    set { setValue(newValue, forKey: "titulo") }
  }
}
