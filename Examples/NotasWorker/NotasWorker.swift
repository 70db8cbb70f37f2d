import DecantWorker

/// A team's worker, with the classes that its mapping models and models name.
@main
struct NotasWorker {
  static func main() { Worker.run(policies: [NotaPolicy.self], objects: [Nota.self, Categoria.self]) }
}
