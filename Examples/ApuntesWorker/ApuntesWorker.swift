import DecantWorker

/// The worker of docs/examples/2-typed-policy.md.
@main
struct ApuntesWorker {
  static func main() {
    Worker.run(
      policies: [NotaPolicy.self, SplitNamePolicy.self, MergeNamePolicy.self],
      objects: [Nota.self, Etiqueta.self])
  }
}
