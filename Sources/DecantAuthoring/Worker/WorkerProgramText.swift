/// The file with a new worker's main function.
enum WorkerProgramText {
  static func text(_ name: WorkerName, _ models: WorkerModels) -> String {
    let lists = [
      ("policies", models.code.policies.map(\.name)), ("objects", models.classes.classes.map(\.name)),
      ("functions", models.code.functions.map(\.name)),
    ].filter { !$0.1.isEmpty }.map { label, names in
      "\(label): [\(names.map { "\(SwiftName.escaped($0)).self" }.joined(separator: ", "))]"
    }
    // An app may have a class with the name Worker.
    let worker = models.classNames.contains("Worker") ? "DecantWorker.Worker" : "Worker"
    let call = "\(worker).run(\(lists.joined(separator: ", ")))"
    let body =
      call.count <= 80
      ? "  static func main() { \(call) }"
      : "  static func main() {\n    \(worker).run(\n      \(lists.joined(separator: ",\n      ")))\n  }"
    return """
      import DecantWorker

      /// The worker: the classes that mapping models and models name.
      @main
      struct \(name.type) {
      \(body)
      }

      """
  }
}
