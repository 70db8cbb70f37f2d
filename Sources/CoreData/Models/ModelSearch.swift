internal import DecantModel
internal import Foundation

/// Finds files of models and mapping models in bundles and folders.
enum ModelSearch {
  /// The deepest level of the search, enough for an application bundle.
  private static let depth = 6

  /// The endings of models and of bundles of model versions.
  static let modelEndings = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"]

  /// The folders with a bundle's resources.
  static func folders(of bundles: [Bundle]?) -> [URL] {
    (bundles ?? [Bundle.main]).map { $0.resourceURL ?? $0.bundleURL }
  }

  /// The files and folders with one of these endings, in the order of their paths.
  ///
  /// A folder with such an ending is not searched. Links are not followed.
  static func files(in folders: [URL], endings: [String]) -> [URL] {
    folders.flatMap { files(in: $0, endings: endings, depth: depth) }
  }

  private static func files(in folder: URL, endings: [String], depth: Int) -> [URL] {
    let keys: [URLResourceKey] = [.isDirectoryKey, .isSymbolicLinkKey]
    let content = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)
    var found: [URL] = []
    for url in (content ?? []).sorted(by: { $0.path < $1.path }) {
      if endings.contains(where: url.lastPathComponent.hasSuffix) {
        found.append(url)
      } else if depth > 0, let values = try? url.resourceValues(forKeys: Set(keys)),
        values.isDirectory == true, values.isSymbolicLink != true
      {
        found += files(in: url, endings: endings, depth: depth - 1)
      }
    }
    return found
  }

  /// The bundles of model versions.
  ///
  /// Unreadable bundles are left out, as Core Data does.
  static func models(in folders: [URL]) -> [ModelBundle] {
    folders.flatMap { bundles(in: $0, depth: depth) }
  }

  /// The bundles of model versions that are in a folder itself.
  static func models(beside file: URL) -> [ModelBundle] {
    bundles(in: file.deletingLastPathComponent(), depth: 0)
  }

  private static func bundles(in folder: URL, depth: Int) -> [ModelBundle] {
    files(in: folder, endings: modelEndings, depth: depth).compactMap { try? ModelBundle.read(at: $0) }
  }

  /// The models whose entities are exactly those in a store's metadata, at most one version of each bundle.
  ///
  /// A version that another one contains is left out.
  static func models(in folders: [URL], with hashes: EntityVersionHashes) -> [ModelBundle.Version] {
    let fitting = models(in: folders).flatMap(\.versions).filter { $0.model.isPart(of: hashes) }
    if let whole = fitting.first(where: { $0.model.entities.count == hashes.count }) { return [whole] }
    var chosen: [ModelBundle.Version] = []
    for version in fitting.sorted(by: { $0.model.entities.count > $1.model.entities.count }) {
      let names = Set(version.model.entities.map(\.name))
      if !chosen.contains(where: { names.isSubset(of: $0.model.entities.map(\.name)) }) {
        chosen.append(version)
      }
    }
    return Set(chosen.flatMap { $0.model.entities.map(\.name) }) == Set(hashes.keys) ? chosen : []
  }
}
