import CoreData

/// A class of the app, whose objects are archived.
///
/// It stands for: `NSSecureCoding` with strings, numbers, arrays and objects of the app's own classes.
final class Portada: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let titulo: String
  let paginas: Int
  let escala: Double
  let esBorrador: Bool
  let palabras: [String]
  let contraportada: Portada?

  init(
    titulo: String, paginas: Int, escala: Double = 1, esBorrador: Bool = false, palabras: [String] = [],
    contraportada: Portada? = nil
  ) {
    self.titulo = titulo
    self.paginas = paginas
    self.escala = escala
    self.esBorrador = esBorrador
    self.palabras = palabras
    self.contraportada = contraportada
  }

  required init?(coder: NSCoder) {
    guard let titulo = coder.decodeObject(of: NSString.self, forKey: "titulo") as String? else { return nil }
    self.titulo = titulo
    paginas = coder.decodeInteger(forKey: "paginas")
    escala = coder.decodeDouble(forKey: "escala")
    esBorrador = coder.decodeBool(forKey: "esBorrador")
    palabras =
      coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "palabras") as? [String] ?? []
    contraportada = coder.decodeObject(of: Portada.self, forKey: "contraportada")
  }

  func encode(with coder: NSCoder) {
    coder.encode(titulo, forKey: "titulo")
    coder.encode(paginas, forKey: "paginas")
    coder.encode(escala, forKey: "escala")
    coder.encode(esBorrador, forKey: "esBorrador")
    coder.encode(palabras, forKey: "palabras")
    coder.encode(contraportada, forKey: "contraportada")
  }
}
