import DecantWorker

/// The worker of docs/examples/1-notes.md.
@main
struct CategoriasWorker {
  static func main() { Worker.run(policies: [CategoriaPolicy.self]) }
}
