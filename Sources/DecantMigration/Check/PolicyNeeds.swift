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

  init(_ family: Family) {
    self.family = family
  }

  mutating func note(_ model: MappingModel) {
    for mapping in model.entityMappings {
      guard let policy = mapping.policy else { continue }
      needs.append(Need(policy: policy, mappingModel: model.name, entityMapping: mapping.name))
      if case .program(let words) = policy { programWords.formUnion(words) }
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
        report.policies.append(.init(kind: .className, name: name, entityMappings: places, path: nil))
        report.add(
          .error,
          "The policy class “\(name)” (\(shown)) is registered by no worker: family.json5 names none.")
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
