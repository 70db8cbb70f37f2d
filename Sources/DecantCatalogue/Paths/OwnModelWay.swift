internal import DecantModel
internal import Foundation

/// Whether steps for a store of an unknown version may be inferred from the store's own model.
///
/// The place of this model among the versions isn't known. If the family has a mapping model or a stated path, an
/// inferred step could bypass this mapping model or path. Then `family.json5` has to allow inferred steps
/// (`unknownVersions: "infer"`).
struct OwnModelWay {
  private let family: Family
  private let nearest: String

  init(_ family: Family, _ nearest: String) {
    self.family = family
    self.nearest = nearest
  }

  func check(from source: FamilyVersion, to destination: FamilyVersion) throws(PlanError) {
    guard source.index != destination.index else { return }
    switch family.configuration.unknownVersions {
    case .infer?: return
    case .refuse?: throw .unknownVersionRefused(nearest: nearest)
    case nil: break
    }
    let models = Set(
      family.mappingModels.map { URL(fileURLWithPath: $0.file.path).lastPathComponent }
    ).sorted(by: VersionName.displayOrder)
    if !models.isEmpty {
      let shown = listed(Array(models.prefix(4)))
      let rest = models.count > 4 ? " and \(models.count - 4) more" : ""
      throw .unknownPlace(
        nearest: nearest,
        obstacle: models.count == 1 ? "the mapping model \(shown)" : "one of the mapping models \(shown)\(rest)"
      )
    }
    if !family.configuration.path.isEmpty {
      throw .unknownPlace(nearest: nearest, obstacle: "the “path” of family.json5")
    }
  }
}
