internal import DecantCatalogue
internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import Foundation

/// A catalogue's facts about a store's model version.
struct StoreVersion {
  private let recognition: Recognition

  /// - Parameter family: Only this family is searched; `nil` for all.
  init(_ store: SourceStore, catalogue path: String, family: String? = nil) throws(CommandFailure) {
    try InputFile.checkFolder(path, what: "catalogue")
    do {
      recognition = try Catalogue.read(at: URL(fileURLWithPath: path))
        .recognise(store, family: family)
    } catch {
      throw CommandFailure(.noCatalogue, "\(error)")
    }
  }

  /// Family and version, if exactly one family has the store's version.
  var known: (family: Family, version: FamilyVersion)? {
    if case .known(let family, let version) = recognition { (family, version) } else { nil }
  }

  /// The model, if the version is known, or if the store's own model shows the family.
  var model: ManagedObjectModel? {
    switch recognition {
    case .known(_, let version), .ownModel(_, let version, _): version.model
    default: nil
    }
  }

  var lines: [String] {
    switch recognition {
    case .known(let family, let version):
      let others = version.names.filter { $0 != version.name }.map { "“\($0)”" }
      return ["“\(version.name)” of family “\(family.name)”"]
        + (others.isEmpty ? [] : ["equal to \(others.prefix(4).joined(separator: ", "))"])
    case .ownModel(_, _, let nearest):
      return ["not in the catalogue, but the store keeps its own model", "nearest: \(nearest)"]
    case .unusable(let family, let reason, _):
      return ["of family “\(family)”, but Decant can't use its version", reason]
    case .ambiguous(let families):
      return ["known to several families: \(listed(families))"]
    case .unknown(let nearest, let broken, _):
      return ["not in the catalogue"] + (nearest.map { ["nearest: \($0)"] } ?? [])
        + broken.flatMap(Self.sentences)
    case .broken(let family): return Self.sentences(family)
    case .ambiguousBroken(let families, let broken):
      return ["known to several families: \(listed(families))"]
        + broken.flatMap(Self.sentences)
    case .noSuchFamily(let name, _): return ["there is no family “\(name)”"]
    }
  }

  private static func sentences(_ family: BrokenFamily) -> [String] {
    family.sentences.map { "family “\(family.name)” can't be used: \($0)" }
  }

  var json: JSON {
    switch recognition {
    case .known(let family, let version): json("known", [family.name], version)
    case .ownModel(let family, let version, let nearest): json("own-model", [family.name], version, nearest)
    case .ambiguous(let families), .ambiguousBroken(let families, _): json("ambiguous", families)
    case .unusable(let family, _, _): json("unusable", [family])
    case .unknown(let nearest, _, _): json("unknown", [], nil, nearest)
    case .broken(let family): json("broken", [family.name])
    case .noSuchFamily: .null
    }
  }

  /// - Parameter version: The version; its names are left out if the catalogue doesn't have it.
  private func json(
    _ word: String, _ families: [String], _ version: FamilyVersion? = nil, _ nearest: Recognition.Nearest? = nil
  ) -> JSON {
    let known = version?.origin.nearest == nil ? version : nil
    return .object([
      "recognition": .string(word), "families": .strings(families), "version": .optional(known?.name),
      "versionNames": .strings(known?.names ?? []), "origin": .optional(version?.origin.word),
      "nearest": nearest.map {
        .object([
          "family": .string($0.family), "version": .string($0.version), "changed": .strings($0.changed),
          "missing": .strings($0.missing), "surplus": .strings($0.surplus),
        ])
      } ?? .null,
    ])
  }
}
