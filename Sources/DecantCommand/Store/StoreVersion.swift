internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import Foundation

/// What a catalogue says about a store's model version.
struct StoreVersion {
  private let recognition: Recognition

  init(_ metadata: StoreMetadata, catalogue path: String) throws(CommandFailure) {
    try InputFile.checkFolder(path, what: "catalogue")
    do {
      recognition = try Catalogue.read(at: URL(fileURLWithPath: path))
        .recognise(metadata.versionHashes ?? [:])
    } catch {
      throw CommandFailure(ExitCode.noInput, "\(error)")
    }
  }

  /// A line each.
  var lines: [String] {
    switch recognition {
    case .known(let family, let version):
      let others = version.names.filter { $0 != version.name }.map { "“\($0)”" }
      return ["“\(version.name)” of family “\(family.name)”"]
        + (others.isEmpty ? [] : ["equal to \(others.prefix(4).joined(separator: ", "))"])
    case .ambiguous(let families):
      return ["known to several families: \(families.map { "“\($0)”" }.joined(separator: ", "))"]
    case .unknown(let nearest, let broken):
      return ["none that the catalogue has"] + (nearest.map { ["nearest: \($0)"] } ?? [])
        + broken.map { "family “\($0.name)” can't be read: \($0.error)" }
    case .broken(let family): return ["family “\(family.name)” can't be read: \(family.error)"]
    case .noSuchFamily(let name, _): return ["there is no family “\(name)”"]
    }
  }

  var json: JSON {
    switch recognition {
    case .known(let family, let version):
      .object([
        "recognition": .string("known"), "families": .strings([family.name]), "version": .string(version.name),
        "versionNames": .strings(version.names), "nearest": .null,
      ])
    case .ambiguous(let families):
      .object([
        "recognition": .string("ambiguous"), "families": .strings(families), "version": .null,
        "versionNames": .array([]), "nearest": .null,
      ])
    case .unknown(let nearest, _):
      .object([
        "recognition": .string("unknown"), "families": .array([]), "version": .null, "versionNames": .array([]),
        "nearest": nearest.map {
          .object([
            "family": .string($0.family), "version": .string($0.version), "changed": .strings($0.changed),
            "missing": .strings($0.missing), "surplus": .strings($0.surplus),
          ])
        } ?? .null,
      ])
    case .broken, .noSuchFamily: .null
    }
  }
}
