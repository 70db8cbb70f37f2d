// Written by “decant classes”; compile it into a worker and register Categoria.self there.

import CoreData

class Categoria: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Categoria> {
    NSFetchRequest<Categoria>(entityName: "Categoria")
  }

  var nombre: String? {
    get { value(forKey: "nombre") as? String }
    set { setValue(newValue, forKey: "nombre") }
  }

  var notas: NSSet? {
    get { value(forKey: "notas") as? NSSet }
    set { setValue(newValue, forKey: "notas") }
  }

  func addToNotas(_ value: Nota) {
    mutableSetValue(forKey: "notas").add(value)
  }

  func removeFromNotas(_ value: Nota) {
    mutableSetValue(forKey: "notas").remove(value)
  }

  func addToNotas(_ values: NSSet) {
    mutableSetValue(forKey: "notas").addObjects(from: values.allObjects)
  }

  func removeFromNotas(_ values: NSSet) {
    for value in values.allObjects { mutableSetValue(forKey: "notas").remove(value) }
  }
}
