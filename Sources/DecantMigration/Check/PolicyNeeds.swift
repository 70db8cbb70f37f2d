internal import DecantCatalogue
internal import DecantMapping
internal import DecantPolicies
internal import Foundation

/// The code that a family's mapping models need: policies, and classes whose functions expressions call.
struct PolicyNeeds {
  private struct Need {
    let kind: FamilyReport.Policy.Kind
    /// The class, or the whole command.
    let name: String
    /// The program and its arguments.
    var words: [String] = []
    /// The file of the first mapping model that names the program, and the line in it; `nil` for a class.
    var file: String?
    var line: Int?
    /// `Step: NoteToNote`.
    var places: [String] = []

    var shown: String {
      places.prefix(3).joined(separator: ", ") + (places.count > 3 ? " and \(places.count - 3) more" : "")
    }
  }

  private let family: Family
  private let classes: RegisteredClasses
  private var needs: [Need] = []

  init(_ family: Family, classes: RegisteredClasses) {
    self.family = family
    self.classes = classes
  }

  mutating func note(_ model: MappingModel) {
    for mapping in model.entityMappings {
      let place = "\(model.name): \(mapping.name)"
      switch mapping.calledPolicy {
      case nil: break
      case .className(let name): note(Need(kind: .className, name: name), place)
      case .program(let words):
        note(
          Need(
            kind: .program, name: mapping.policy?.text ?? "", words: words, file: model.path,
            line: model.line(of: "policy", in: mapping.name)), place)
      }
      for call in mapping.classCalls { note(Need(kind: .functions, name: call.className), place) }
    }
  }

  private mutating func note(_ need: Need, _ place: String) {
    let known = needs.firstIndex { $0.kind == need.kind && $0.name == need.name && $0.words == need.words }
    if known == nil { needs.append(need) }
    let index = known ?? needs.count - 1
    if !needs[index].places.contains(place) { needs[index].places.append(place) }
  }

  /// Lists each class and each program once, and reports those that are missing.
  func fill(_ report: inout FamilyReport) {
    for need in needs {
      let path: String?
      switch need.kind {
      case .className: path = worker(of: need, "The policy class “\(need.name)” (\(need.shown))", &report)
      case .functions:
        path = worker(
          of: need, "The class “\(need.name)”, whose functions are called (\(need.shown)),", &report)
      case .program: path = program(need, &report)
      }
      report.policies.append(
        .init(kind: need.kind, name: need.name, entityMappings: need.places, path: path))
    }
  }

  /// The worker that registers a class.
  ///
  /// The caller of this check reports a worker that can't be used.
  private func worker(of need: Need, _ what: String, _ report: inout FamilyReport) -> String? {
    switch classes {
    case .noWorker:
      report.add(
        .error,
        "\(what) is registered by no worker, because family.json5 names no worker. Name a worker there "
          + "(worker: \"/path/to/worker\"), or only for this check with --worker. “decant worker new DIR --models …” "
          + "writes a worker.")
      return nil
    case .names(let policies, let functions, let worker):
      let names = need.kind == .functions ? functions : policies
      guard ClassName.match(need.name, among: names) == nil else { return worker }
      let sort = need.kind == .functions ? "classes with functions" : "policy classes"
      report.add(
        .error,
        "\(what) isn't registered by the worker “\(worker)”"
          + (names.isEmpty ? ", which has no \(sort)." : "; its \(sort): \(names.joined(separator: ", ")).")
          + (MissingClass(name: need.name, names: names, kind: "policy").near.map { " Is “\($0)” meant?" } ?? "")
      )
      return nil
    case .unusable: return nil
    }
  }

  private func program(_ need: Need, _ report: inout FamilyReport) -> String? {
    let command = PolicyCommand(need.words, folder: family.folder.path)
    for doubt in command.doubts {
      report.add(.warning, "\(need.shown): \(doubt)", file: need.file, line: need.line)
    }
    guard let problem = command.problem else { return command.path }
    report.add(.error, "\(need.shown): \(problem)", file: need.file, line: need.line)
    return nil
  }
}
