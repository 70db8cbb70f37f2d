internal import DecantMapping
internal import Foundation

/// The policies that a family's mapping models leave objects to.
struct PolicyNeeds {
  private struct Need: Hashable {
    let policy: EntityMapping.Policy
    let mappingModel: String
    let entityMapping: String
  }

  private let family: Family
  private var needs: [Need] = []
  /// The words of all programs.
  private(set) var programWords: Set<String> = []

  private let classes: RegisteredClasses

  init(_ family: Family, classes: RegisteredClasses) {
    self.family = family
    self.classes = classes
  }

  mutating func note(_ model: MappingModel) {
    for mapping in model.entityMappings {
      guard let policy = mapping.policy else { continue }
      needs.append(Need(policy: policy, mappingModel: model.name, entityMapping: mapping.name))
      if case .program(let words) = policy { programWords.formUnion(words) }
    }
  }

  /// The worker that registers a class; `nil`, and an error in the report, where none does.
  private func worker(of name: String, _ places: String, _ report: inout FamilyReport) -> String? {
    switch classes {
    case .noWorker:
      report.add(
        .error, "The policy class “\(name)” (\(places)) is registered by no worker: family.json5 names none.")
      return nil
    case .names(let names, let worker):
      guard PolicyRegistry.match(name, among: names) == nil else { return worker }
      report.add(
        .error,
        "The policy class “\(name)” (\(places)) isn't registered by the worker “\(worker)”"
          + (names.isEmpty ? ", which has none." : "; it has: \(names.joined(separator: ", ")).")
          + (MissingClass(name: name, names: names, kind: "policy").near.map { " Is “\($0)” meant?" } ?? ""))
      return nil
    case .unusable: return nil
    }
  }

  /// Lists each policy once, and says of those that aren't there what to do.
  func fill(_ report: inout FamilyReport) {
    var seen: Set<EntityMapping.Policy> = []
    for policy in needs.map(\.policy) where seen.insert(policy).inserted {
      let places = needs.filter { $0.policy == policy }.map { "\($0.mappingModel): \($0.entityMapping)" }
      let shown =
        places.prefix(3).joined(separator: ", ") + (places.count > 3 ? " and \(places.count - 3) more" : "")
      switch policy {
      case .className(let name):
        let path = worker(of: name, shown, &report)
        report.policies.append(.init(kind: .className, name: name, entityMappings: places, path: path))
      case .program(let words):
        let word = words.first ?? ""
        let path = PolicyPrograms.path(
          of: word, folder: family.folder, searchPath: ProcessInfo.processInfo.environment["PATH"])
        report.policies.append(.init(kind: .program, name: word, entityMappings: places, path: path))
        if path == nil {
          report.add(
            .error,
            "The policy program “\(word)” (\(shown)) isn't there, or can't be run. Correct its name or path, or its "
              + "permissions.")
        }
      }
    }
  }
}
