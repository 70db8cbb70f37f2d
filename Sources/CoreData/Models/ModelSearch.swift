internal import DecantModel
internal import Foundation

/// Finds files of models and mapping models in bundles and folders.
enum ModelSearch {
  /// The number of levels of subfolders that are searched, which is enough for an application bundle.
  private static let depth = 6

  /// The endings of models and of bundles of model versions.
  static let modelEndings = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"]

  /// The folders with the resources of bundles; nil stands for the main bundle.
  static func folders(of bundles: [Bundle]?) -> [URL] {
    (bundles ?? [Bundle.main]).map { $0.resourceURL ?? $0.bundleURL }
  }

  /// The files or models that were found, and the reasons why others can't be read.
  struct Found<Item> {
    var items: [Item] = []
    /// One sentence, without its full stop, for each file that can't be read and each given folder that can't be
    /// listed.
    var problems: [String] = []
    /// One sentence, without its full stop, for each folder inside the given folders that can't be listed.
    ///
    /// Such a folder may have only the program's data, so `problems` doesn't have its sentence.
    var unlisted: [String] = []

    func withProblems(_ sentence: String) -> String {
      let all = problems + unlisted
      return all.isEmpty
        ? "\(sentence)." : "\(sentence). Not everything can be read: \(all.joined(separator: "; "))."
    }
  }

  /// The files and folders with one of these endings, in a fixed order.
  ///
  /// A folder with such an ending is not searched. Links to subfolders are not followed. A folder that doesn't exist
  /// has no files.
  static func files(in folders: [URL], endings: [String]) -> Found<URL> {
    var found = Found<URL>()
    for folder in folders { addFiles(in: folder, endings: endings, depth: depth, to: &found) }
    return found
  }

  private static func addFiles(
    in folder: URL, endings: [String], depth: Int, isBelow: Bool = false, to found: inout Found<URL>
  ) {
    let keys: [URLResourceKey] = [.isDirectoryKey, .isSymbolicLinkKey]
    let content: [URL]
    do {
      content = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return
    } catch {
      let words = "\(folder.path): the folder can't be listed; check that it is a folder, and its permissions"
      if isBelow { found.unlisted.append(words) } else { found.problems.append(words) }
      return
    }
    for url in content.sorted(by: { $0.path < $1.path }) {
      if endings.contains(where: url.lastPathComponent.hasSuffix) {
        found.items.append(url)
      } else if depth > 0, let values = try? url.resourceValues(forKeys: Set(keys)),
        values.isDirectory == true, values.isSymbolicLink != true
      {
        addFiles(in: url, endings: endings, depth: depth - 1, isBelow: true, to: &found)
      }
    }
  }

  /// The bundles of model versions, with the versions that can be read.
  static func models(in folders: [URL]) -> Found<ModelBundle> {
    bundles(files(in: folders, endings: modelEndings))
  }

  /// The bundles of model versions that are directly in a file's folder.
  static func models(beside file: URL) -> Found<ModelBundle> {
    var found = Found<URL>()
    addFiles(in: file.deletingLastPathComponent(), endings: modelEndings, depth: 0, to: &found)
    return bundles(found)
  }

  private static func bundles(_ files: Found<URL>) -> Found<ModelBundle> {
    var found = Found<ModelBundle>(problems: files.problems, unlisted: files.unlisted)
    for url in files.items {
      do throws(ModelError) {
        found.items.append(try ModelBundle.read(at: url))
      } catch {
        found.problems += ModelBundle.faults(at: url).map { "\($0)" }
        if let part = ModelBundle.readable(at: url) { found.items.append(part) }
      }
    }
    return found
  }

  /// The models that together have exactly the entities in a store's metadata; no items if there are no such models.
  ///
  /// A version is left out if another chosen version has all its entities.
  static func models(in folders: [URL], with hashes: EntityVersionHashes) -> Found<ModelBundle.Version> {
    let found = models(in: folders)
    return Found(items: fitting(found.items, hashes), problems: found.problems, unlisted: found.unlisted)
  }

  static func fitting(_ bundles: [ModelBundle], _ hashes: EntityVersionHashes) -> [ModelBundle.Version] {
    let fitting = bundles.flatMap(\.versions).filter { $0.model.isPart(of: hashes) }
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
