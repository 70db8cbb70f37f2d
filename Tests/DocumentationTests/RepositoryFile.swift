import DecantTestSupport
import Foundation
import Testing

/// A text file of the repository.
struct RepositoryFile: CustomTestStringConvertible {
  /// The path relative to the repository's root, with slashes.
  let path: String
  let text: String

  init(_ path: String, text: String) {
    self.path = path
    self.text = text
  }

  init(_ path: String) throws {
    self.init(path, text: try Repository.text(path))
  }

  var testDescription: String { path }

  /// `path:line` of a place in the text, as compilers write it.
  func place(of index: String.Index) -> String {
    "\(path):\(text[..<index].count { $0 == "\n" } + 1)"
  }

  /// Whether a file or folder of the repository exists.
  static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
  }

  /// The UTF-8 files at these paths and below these folders with one of the endings, or all if there are no endings.
  static func all(in places: [String], endings: [String]) throws -> [RepositoryFile] {
    var files: [RepositoryFile] = []
    for place in places where isThere(place) {
      var paths = [place]
      if let list = FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent(place).path) {
        paths += list.compactMap { ($0 as? String).map { "\(place)/\($0)" } }
      }
      for path in paths.sorted() where endings.isEmpty || endings.contains(where: path.hasSuffix) {
        var isFolder: ObjCBool = false
        let file = Repository.root.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue,
          let text = try? String(contentsOf: file, encoding: .utf8)
        else { continue }
        files.append(RepositoryFile(path, text: text))
      }
    }
    return files
  }

  /// All files that may have comments.
  ///
  /// DocumentationTests is left out, because its samples are wrong on purpose.
  static func sources() throws -> [RepositoryFile] {
    try all(
      in: ["Package.swift", "Sources", "Tests", "Examples", "scripts", "man", "config", "systemd"], endings: []
    ).filter { !$0.path.hasPrefix("Tests/DocumentationTests/") }
  }

  /// All Markdown pages of the repository.
  static func pages() throws -> [RepositoryFile] {
    let top = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path).filter {
      $0.hasSuffix(".md")
    }
    return try all(in: top + ["docs", "Examples", "man"], endings: [".md"])
  }
}
