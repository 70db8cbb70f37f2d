internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantModel
internal import Foundation

/// The renames in the `family.json5` beside a model of the command line.
enum FamilyRenames {
  /// The renames to a model's version.
  ///
  /// Faults of the family don't stop the command.
  static func of(_ model: ModelArgument, _ console: Console) -> Renames {
    guard model.store == nil, let place = place(of: URL(fileURLWithPath: model.version.path)) else {
      return .none
    }
    guard let catalogue = try? Catalogue.read(at: place) else { return .none }
    let broken = catalogue.brokenFamilies.first
    let family = catalogue.families.first ?? broken?.models
    for case .configuration(let path, let problem, let key)? in [broken?.faults.first] {
      // A fault of another key, or a name that no version has, leaves the renames in use.
      let isUnread = key == nil || key == "renames" && family?.configuration.renames.isEmpty != false
      let words = isUnread ? "the renames of \(path) aren't used: \(problem)." : "\(path): \(problem)."
      console.say("decant: \(PlainText.of(words))")
    }
    guard let family,
      let version = family.versions.first(where: {
        $0.model.entityVersionHashes == model.model.entityVersionHashes
      })
    else { return .none }
    return family.configuration.renames(to: version.allNames)
  }

  /// The bundle of a model, or the folder of a single model.
  private static func place(of model: URL) -> URL? {
    var url = model.standardizedFileURL
    var bundle: URL?
    while url.path != "/", ModelBundle.extensions.contains(url.pathExtension) {
      if ["xcdatamodeld", "momd"].contains(url.pathExtension) { bundle = url }
      url.deleteLastPathComponent()
    }
    guard FileManager.default.fileExists(atPath: url.appendingPathComponent("family.json5").path) else {
      return nil
    }
    return bundle ?? url
  }
}
