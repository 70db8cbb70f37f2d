import DecantWorker
import PolicyShapes

/// A worker with policies of the module PolicyShapes, and with their transformers.
@main
struct ShapesWorker {
  static func main() {
    ArticulosApp.registerTransformers()
    Worker.run(policies: ArticulosApp.policies)
  }
}
