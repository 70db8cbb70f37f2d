public import DecantMapping
public import DecantModel
internal import Foundation

/// A fault of one family of a catalogue.
///
/// Other families stay usable.
public enum FamilyError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  /// The findings are about the reference stores, if the folder has any.
  case noModels(path: String, findings: [String])
  case model(ModelError)
  case mappingModel(MappingModelError)
  /// The versions of a mapping model aren't known or can't be used, so a step might bypass the mapping model.
  ///
  /// `key` is the faulty key, if the mapping model is a text.
  case mappingModelVersions(path: String, problem: String, versions: [String], key: String? = nil)
  /// `key` is the faulty key of the file, if known.
  case configuration(path: String, problem: String, key: String? = nil)
  /// `missing` has a sentence for each bundle that names a missing current version.
  case noTarget(family: String, path: String, versions: [String], missing: [String] = [])
  /// A name in the target of a merged store is no version of the store's bundles, or two names are of one bundle.
  case noSuchPart(family: String, name: String, store: String)
  /// A store of a configuration can't be migrated to a version that lacks the configuration or parts of it.
  case notInConfiguration(family: String, version: String, problem: String)

  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check its permissions"
    case .noModels(let path, let findings):
      ([
        "\(path) holds no model (*.xcdatamodeld, *.xcdatamodel, *.momd, *.mom, or a store in reference/ that keeps "
          + "its own model); copy the family's models there, or remove the folder"
      ] + findings).joined(separator: "; ")
    case .model(let error): "\(error)"
    case .mappingModel(let error): error.sentence
    case .mappingModelVersions(let path, let problem, let versions, _):
      "\(path): \(problem); the versions are: \(versions.joined(separator: ", ")). Correct the mapping model, add the "
        + "missing model, or remove the file"
    case .configuration(let path, let problem, _): "\(path): \(problem)"
    case .noTarget(let family, let path, let versions, let missing):
      "family “\(family)” doesn't say which version is the newest; "
        + missing.map { $0 + "; " }.joined() + "set “target” in \(path) to one of: "
        + versions.joined(separator: ", ")
    case .noSuchPart(let family, let name, let store):
      "a store of “\(store)” can't be migrated to “\(name)” of family “\(family)”; name one version of "
        + "each model, joined by “\(VersionName.mergeMark)”, or only those that differ from the current ones"
    case .notInConfiguration(let family, let version, let problem):
      "family “\(family)”, version “\(version)”: \(problem)"
    }
  }
}

extension FamilyError {
  /// One sentence for each fault, with the line if known.
  public var sentences: [String] {
    switch self {
    case .mappingModel(let error): error.parts.map(\.sentence)
    case .configuration(let path, _, _), .mappingModelVersions(let path, _, _, _):
      ["\(path)\(line.map { ", line \($0)" } ?? "")\("\(self)".dropFirst(path.count))"]
    default: ["\(self)"]
    }
  }

  /// The line of the faulty key in `family.json5` or in a mapping model's text, from 1.
  ///
  /// Without a key, the line that makes `family.json5` unreadable. `nil` for other faults.
  package var line: Int? {
    let path: String
    let key: String?
    switch self {
    case .configuration(let file, _, let name): (path, key) = (file, name)
    case .mappingModelVersions(let file, _, _, let name?): (path, key) = (file, name)
    default: return nil
    }
    guard let data = try? DiskRead.contents(of: path, limit: JSON5Value.sizeLimit) else { return nil }
    if let key { return JSON5Value.place(of: [.key(key)], in: data)?.line }
    do throws(JSON5Problem) {
      _ = try JSON5Value.parse(data)
      return nil
    } catch {
      return error.line
    }
  }
}
