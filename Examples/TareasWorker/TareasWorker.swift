import DecantWorker

/// The worker of docs/getting-started.md.
@main
struct TareasWorker {
  static func main() { Worker.run(policies: [TareaPolicy.self]) }
}
