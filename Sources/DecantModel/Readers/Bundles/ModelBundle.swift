public import Foundation

/// The model versions of one `.xcdatamodeld` or `.momd`, or the one of an `.xcdatamodel` or `.mom`.
public struct ModelBundle: Sendable {
  /// One version as the bundle has it.
  public struct Version: Sendable {
    /// The folder's or file's name without its extension.
    public let name: String
    public let path: String
    public let model: ManagedObjectModel
    public let warnings: [String]

    package init(name: String, path: String, model: ManagedObjectModel, warnings: [String]) {
      self.name = name
      self.path = path
      self.model = model
      self.warnings = warnings
    }
  }

  /// The bundle's name without its extension.
  public let name: String
  /// In natural order of their names, which is for display alone.
  public let versions: [Version]
  /// The version that `.xccurrentversion` or `VersionInfo.plist` names, or the only one.
  public let currentVersionName: String?

  /// The extensions of what `read(at:)` reads.
  public static let extensions: Set = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "omo"]

  /// The current version.
  ///
  /// - Throws: `ModelError.severalVersions` where the bundle doesn't say which it is.
  public func currentVersion() throws(ModelError) -> Version {
    guard let currentVersionName else { throw .severalVersions(versions.map(\.name)) }
    return try version(named: currentVersionName)
  }

  /// The version of that name, with or without its extension.
  public func version(named name: String) throws(ModelError) -> Version {
    if let version = versions.first(where: { $0.name == name }) { return version }
    for ending in [".xcdatamodel", ".mom"] where name.hasSuffix(ending) {
      let bare = name.dropLast(ending.count)
      if let version = versions.first(where: { $0.name == bare }) { return version }
    }
    throw .noSuchVersion(name, existing: versions.map(\.name))
  }

  /// Reads a bundle, or a single version as a bundle of one.
  ///
  /// An `.omo` is never read itself: the `.mom` of the same name beside it says the same (model-files.md 5).
  ///
  /// - Throws: `ModelError.inFile` with the file that is at fault.
  public static func read(at url: URL) throws(ModelError) -> ModelBundle {
    try ModelFile.inFile(url) { () throws(ModelError) in
      switch url.pathExtension {
      case "xcdatamodel": return ModelBundle(only: try readVersion(at: url))
      case "xcdatamodeld": return try readBundle(at: url)
      case "mom": return ModelBundle(only: try readCompiledVersion(at: url))
      case "momd": return try readCompiledBundle(at: url)
      case "omo":
        let twin = url.deletingPathExtension().appendingPathExtension("mom")
        guard ModelFile.exists(twin) else { throw .onlyOptimised([url.lastPathComponent]) }
        return ModelBundle(only: try readCompiledVersion(at: twin))
      default:
        guard ModelFile.exists(url) else { throw .noSuchFile }
        throw .unsupported(
          format: url.pathExtension.isEmpty ? url.lastPathComponent : ".\(url.pathExtension)",
          advice: "give an .xcdatamodeld, .xcdatamodel, .momd or .mom")
      }
    }
  }

  private init(only version: Version) {
    self.init(name: version.name, versions: [version], currentVersionName: version.name)
  }

  package init(name: String, versions: [Version], currentVersionName: String?) {
    self.name = name
    self.versions = versions.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    self.currentVersionName = currentVersionName
  }
}
