import CoreData

/// Registers the app's transformers, as its delegate does, and lists the policies for a worker.
public enum ArticulosApp {
  public static func registerTransformers() {
    TonoTransformer.register()
    PortadaTransformer.register()
  }

  public static var policies: [NSEntityMigrationPolicy.Type] { [EtiquetasPolicy.self, OpuestoPolicy.self] }
}
