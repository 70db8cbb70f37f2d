import CoreData

// The classes of the model in `Biblioteca`, as “decant classes” writes them.

class Autor: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Autor> { NSFetchRequest<Autor>(entityName: "Autor") }

  var nombre: String? {
    get { value(forKey: "nombre") as? String }
    set { setValue(newValue, forKey: "nombre") }
  }

  var obras: NSOrderedSet? {
    get { value(forKey: "obras") as? NSOrderedSet }
    set { setValue(newValue, forKey: "obras") }
  }
}

class Obra: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Obra> { NSFetchRequest<Obra>(entityName: "Obra") }

  var titulo: String? {
    get { value(forKey: "titulo") as? String }
    set { setValue(newValue, forKey: "titulo") }
  }

  var paginas: Int16 {
    get { (value(forKey: "paginas") as? NSNumber)?.int16Value ?? 0 }
    set { setValue(NSNumber(value: newValue), forKey: "paginas") }
  }

  var publicada: Date? {
    get { value(forKey: "publicada") as? Date }
    set { setValue(newValue, forKey: "publicada") }
  }

  var portada: Data? {
    get { value(forKey: "portada") as? Data }
    set { setValue(newValue, forKey: "portada") }
  }

  var autor: Autor? {
    get { value(forKey: "autor") as? Autor }
    set { setValue(newValue, forKey: "autor") }
  }

  var temas: NSSet? {
    get { value(forKey: "temas") as? NSSet }
    set { setValue(newValue, forKey: "temas") }
  }

  func addToTemas(_ value: Tema) { mutableSetValue(forKey: "temas").add(value) }
}

class Novela: Obra {
  class func fetchRequest() -> NSFetchRequest<Novela> { NSFetchRequest<Novela>(entityName: "Novela") }

  var leida: Bool {
    get { (value(forKey: "leida") as? NSNumber)?.boolValue ?? false }
    set { setValue(NSNumber(value: newValue), forKey: "leida") }
  }
}

class Tema: NSManagedObject {
  class func fetchRequest() -> NSFetchRequest<Tema> { NSFetchRequest<Tema>(entityName: "Tema") }

  var nombre: String? {
    get { value(forKey: "nombre") as? String }
    set { setValue(newValue, forKey: "nombre") }
  }

  var obras: NSSet? {
    get { value(forKey: "obras") as? NSSet }
    set { setValue(newValue, forKey: "obras") }
  }
}
