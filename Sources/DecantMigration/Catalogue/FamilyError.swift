public import DecantMapping
public import DecantModel
internal import Foundation

/// What is wrong with one family of a catalogue, while the others go on working.
public enum FamilyError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String)
  /// With what was found out about the reference stores, if there are any.
  case noModels(path: String, findings: [String])
  case model(ModelError)
  case mappingModel(MappingModelError)
  /// The versions that a mapping model is for can't be told, so that a step might bypass it; with the key of a text that
  /// it is about.
  case mappingModelVersions(path: String, problem: String, versions: [String], key: String? = nil)
  /// With the key of the file that it is about, where it is about one.
  case configuration(path: String, problem: String, key: String? = nil)
  /// With a sentence for each bundle that names a current version which it doesn't have.
  case noTarget(family: String, path: String, versions: [String], missing: [String] = [])
  /// A target names a version of none of the bundles that a merged store is made of, or one bundle twice.
  case noSuchPart(family: String, name: String, store: String)
  /// A store of a configuration can't be brought to a version where that is missing, or isn't whole.
  case notInConfiguration(family: String, version: String, problem: String)

  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) can't be read; check its permissions"
    case .noModels(let path, let findings):
      ([
        "\(path) holds no model (*.xcdatamodeld, *.xcdatamodel, *.momd, *.mom, or a store in reference/ that keeps "
          + "its own); copy the family's models there, or remove the folder"
      ] + findings).joined(separator: "; ")
    case .model(let error): "\(error)"
    case .mappingModel(let error): error.sentence
    case .mappingModelVersions(let path, let problem, let versions, _):
      "\(path): \(problem); the versions are: \(versions.joined(separator: ", ")). Correct the mapping model, add the "
        + "model that it is for, or remove the file"
    case .configuration(let path, let problem, _): "\(path): \(problem)"
    case .noTarget(let family, let path, let versions, let missing):
      "family “\(family)” doesn't say which version is the newest; "
        + missing.map { $0 + "; " }.joined() + "set “target” in \(path) to one of: "
        + versions.joined(separator: ", ")
    case .noSuchPart(let family, let name, let store):
      "“\(name)” is no version of family “\(family)” to which a store of “\(store)” could be brought; name one version of "
        + "each model, joined by “\(Family.mergeMark)”, or only those that shall not be the current ones"
    case .notInConfiguration(let family, let version, let problem):
      "family “\(family)”, version “\(version)”: \(problem)"
    }
  }
}

extension FamilyError {
  /// One sentence for each thing that is wrong, with the line where it is known.
  public var sentences: [String] {
    switch self {
    case .mappingModel(let error): error.parts.map(\.sentence)
    case .configuration(let path, _, _), .mappingModelVersions(let path, _, _, _):
      ["\(path)\(line.map { ", line \($0)" } ?? "")\("\(self)".dropFirst(path.count))"]
    default: ["\(self)"]
    }
  }

  /// The line of `family.json5` or of a mapping model as text, from 1, where the key stands, or what keeps
  /// `family.json5` from being read.
  var line: Int? {
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
