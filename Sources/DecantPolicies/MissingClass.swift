internal import DecantMapping

/// The message and the advice about a class that a mapping model names, but that isn't registered.
package struct MissingClass {
  let name: String
  /// The registered classes of the kind, with their modules.
  let names: [String]
  /// The kind of the classes, as the message names it: “policy” or “function”.
  let kind: String
  /// Whether the store was put into the spool, where there are no command-line options.
  let isOfDrop: Bool

  package init(name: String, names: [String], kind: String, isOfDrop: Bool = false) {
    self.name = name
    self.names = names
    self.kind = kind
    self.isOfDrop = isOfDrop
  }

  private var alike: [String] {
    guard let last = name.split(separator: ".").last else { return [] }
    return names.filter { $0.split(separator: ".").last == last }
  }

  /// The registered class that was probably meant; `nil` for none.
  package var near: String? {
    let last = String(name.split(separator: ".").last ?? "")
    let plain = names.compactMap { $0.split(separator: ".").last.map(String.init) }
    guard let found = NearName.of(last, among: plain) else { return nil }
    return names.first { $0.split(separator: ".").last.map(String.init) == found }
  }

  package var words: String {
    if names.isEmpty { return "The \(kind) class “\(name)” was not found. No \(kind) classes are registered" }
    if alike.count > 1 {
      return "The \(kind) class “\(name)” is in \(alike.count) modules: \(alike.joined(separator: ", "))"
    }
    return "The \(kind) class “\(name)” was not found. Registered: \(names.joined(separator: ", "))"
  }

  /// One action, or one for each possible cause.
  package var advice: String {
    if alike.count > 1 { return "Write the class's module before its name in the mapping model." }
    if let near {
      return "If \(near) is meant, correct the name in the mapping model; else register \(name) in the worker."
    }
    return names.isEmpty
      ? "Build a worker that registers it, and name the worker \(isOfDrop ? "" : "with --worker, or ")in family.json5 "
        + "(worker: \"/path/to/worker\"). “decant worker new DIR --models …” writes one."
      : "Register it in the worker and build the worker again, or correct the name in the mapping model."
  }
}
