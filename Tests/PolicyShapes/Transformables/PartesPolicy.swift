import CoreData

/// Has methods that a mapping model calls with transformable values.
///
/// It stands for: `FUNCTION($entityPolicy, "juntas:", $source.etiquetas)` with arrays and objects as arguments and
/// results.
final class PartesPolicy: NSEntityMigrationPolicy {
  func partes(de texto: String) -> [String] { texto.components(separatedBy: " y ") }

  func juntas(_ etiquetas: [String]?) -> String { etiquetas?.joined(separator: "+") ?? "-" }

  func nombre(_ tono: Tono?) -> String { tono.map { "\($0.rojo) \($0.verde) \($0.azul)" } ?? "-" }

  func une(_ uno: String, con otro: String) -> String { "\(uno)/\(otro)" }

  func opuesto(_ tono: Tono?) -> Tono? { tono?.opuesto }

  #if !canImport(ObjectiveC)
    override func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      switch selector {
      case "partesDe:": return partes(de: arguments[0] as? String ?? "")
      case "juntas:": return juntas(arguments[0] as? [String])
      case "nombre:": return nombre(arguments[0] as? Tono)
      case "une:con:": return une(arguments[0] as? String ?? "-", con: arguments[1] as? String ?? "-")
      case "opuesto:": return opuesto(arguments[0] as? Tono)
      default: return try super.invoke(selector, with: arguments)
      }
    }
  #endif
}
