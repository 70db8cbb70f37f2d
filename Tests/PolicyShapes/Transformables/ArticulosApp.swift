import CoreData

/// What the app's delegate does when it starts, and the policies of the module for a worker.
public enum ArticulosApp {
  public static func registerTransformers() {
    TonoTransformer.register()
    PortadaTransformer.register()
  }

  public static var policies: [NSEntityMigrationPolicy.Type] { [EtiquetasPolicy.self, OpuestoPolicy.self] }
}
