import CoreData

/// A value class of the app, comparable to the system's `UIColor`.
final class Tono: NSObject {
  let rojo: UInt8
  let verde: UInt8
  let azul: UInt8

  init(rojo: UInt8, verde: UInt8, azul: UInt8) {
    self.rojo = rojo
    self.verde = verde
    self.azul = azul
  }

  var opuesto: Tono { Tono(rojo: 255 - rojo, verde: 255 - verde, azul: 255 - azul) }
}
