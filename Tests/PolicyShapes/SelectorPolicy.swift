import CoreData

/// Has a method that the mapping model calls by its selector.
///
/// It stands for: `FUNCTION($entityPolicy, "tituloForOrden:", …)`, and `invoke(_:with:)` instead of `@objc`.
class SelectorPolicy: NSEntityMigrationPolicy {
  #if canImport(ObjectiveC)
    @objc
  #endif
  func tituloForOrden(_ orden: NSNumber) -> String {
    return orden.intValue < 3 ? "corto" : "largo"
  }

  #if !canImport(ObjectiveC)
    override func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      switch selector {
      case "tituloForOrden:": return tituloForOrden(arguments[0] as? NSNumber ?? 0)
      default: return try super.invoke(selector, with: arguments)
      }
    }
  #endif
}
