import DecantModel
import DecantTestSupport
import Foundation
import Testing

/// The genuine models of the fixtures, in all their forms.
enum GenuineModels {
  /// A model version, with the fixture folder in which it is.
  struct Version: CustomTestStringConvertible {
    let folder: String
    let name: String
    let model: ManagedObjectModel

    var testDescription: String { "\(folder)/\(name)" }
  }

  /// The fixtures' files and folders with that extension or name, in the order of their paths.
  static func files(_ name: String) -> [URL] {
    guard let walk = FileManager.default.enumerator(at: SharedFixtures.root, includingPropertiesForKeys: nil)
    else { return [] }
    return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == name || $0.lastPathComponent == name }
      .sorted { $0.path < $1.path }
  }

  /// The fixture folder of a file, such as `stores/wire`.
  static func folder(of url: URL) -> String {
    let parts = url.standardizedFileURL.path.dropFirst(SharedFixtures.root.path.count).split(separator: "/")
    return parts.prefix(2).joined(separator: "/")
  }

  static func versions(_ extensions: String...) throws -> [Version] {
    var found: [Version] = []
    for url in extensions.flatMap(files) {
      for version in try ModelBundle.read(at: url).versions {
        found.append(
          Version(
            folder: folder(of: url), name: "\(url.lastPathComponent)#\(version.name)", model: version.model))
      }
    }
    return found
  }

  /// The versions that are XML sources, by fixture folder.
  static func sources() throws -> [String: [Version]] {
    var found: [Version] = []
    for url in files("contents") {
      let bundle = try ModelBundle.read(at: url.deletingLastPathComponent())
      guard let version = bundle.versions.first else { continue }
      found.append(Version(folder: folder(of: url), name: version.name, model: version.model))
    }
    return Dictionary(grouping: found, by: \.folder)
  }

  /// The copies of models within mapping models, in the form of the editor's archive.
  static func embedded() throws -> [(folder: String, name: String, data: Data)] {
    var found: [(folder: String, name: String, data: Data)] = []
    for url in files("xcmapping.xml") {
      let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      for side in ["source", "destination"] {
        let start = "<attribute name=\"\(side)modeldata\" type=\"binary\">"
        guard let from = text.range(of: start),
          let to = text.range(of: "</attribute>", range: from.upperBound..<text.endIndex),
          let data = Data(
            base64Encoded: String(text[from.upperBound..<to.lowerBound]), options: .ignoreUnknownCharacters)
        else { continue }
        found.append((folder(of: url), "\(url.deletingLastPathComponent().lastPathComponent) \(side)", data))
      }
    }
    return found
  }
}
