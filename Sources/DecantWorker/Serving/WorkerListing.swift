package enum WorkerListing {
  package static func text(of hello: WorkerEvent.Hello, name: String) -> String {
    var lines = ["\(name): a worker of Decant \(hello.version) (protocol \(hello.protocol))"]
    let kinds = [
      ("Policies", hello.policies), ("Managed object classes", hello.objects), ("Functions", hello.functions),
    ]
    for (title, names) in kinds {
      let names = names ?? []
      lines.append(names.isEmpty ? "\(title): none" : "\(title):")
      lines += names.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
