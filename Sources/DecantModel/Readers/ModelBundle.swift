public import Foundation
internal import KeyedArchive

/// The model versions of one `.xcdatamodeld`, or the one of an `.xcdatamodel`.
public struct ModelBundle: Sendable {
  /// One version as the bundle has it.
  public struct Version: Sendable {
    /// The folder's name without its extension.
    public let name: String
    public let path: String
    public let model: ManagedObjectModel
    public let warnings: [String]
  }

  /// The bundle's name without its extension.
  public let name: String
  /// In natural order of their names, which is for display alone.
  public let versions: [Version]
  /// The version that `.xccurrentversion` names, or the only one.
  public let currentVersionName: String?

  /// The current version.
  ///
  /// - Throws: `ModelError.severalVersions` where the bundle doesn't say which it is.
  public func currentVersion() throws(ModelError) -> Version {
    guard let currentVersionName else { throw .severalVersions(versions.map(\.name)) }
    return try version(named: currentVersionName)
  }

  /// The version of that name.
  public func version(named name: String) throws(ModelError) -> Version {
    let bare = name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    guard let version = versions.first(where: { $0.name == bare }) else {
      throw .noSuchVersion(name, existing: versions.map(\.name))
    }
    return version
  }

  /// Reads a bundle, or a single version as a bundle of one.
  ///
  /// - Throws: `ModelError.inFile` with the file that is at fault.
  public static func read(at url: URL) throws(ModelError) -> ModelBundle {
    try inFile(url) { () throws(ModelError) in
      switch url.pathExtension {
      case "xcdatamodel":
        let version = try readVersion(at: url)
        return ModelBundle(name: version.name, versions: [version], currentVersionName: version.name)
      case "xcdatamodeld": return try readBundle(at: url)
      default:
        guard FileManager.default.fileExists(atPath: url.path) else { throw .noSuchFile }
        throw .unsupported(
          format: url.pathExtension.isEmpty ? url.lastPathComponent : ".\(url.pathExtension)",
          advice: "give an .xcdatamodel or .xcdatamodeld folder")
      }
    }
  }

  private static func readBundle(at url: URL) throws(ModelError) -> ModelBundle {
    let folders = try contents(of: url).filter { $0.pathExtension == "xcdatamodel" }
    guard !folders.isEmpty else { throw .noVersions }
    var versions: [Version] = []
    for folder in folders {
      versions.append(try inFile(folder) { () throws(ModelError) in try readVersion(at: folder) })
    }
    versions.sort { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    return ModelBundle(
      name: url.deletingPathExtension().lastPathComponent, versions: versions,
      currentVersionName: try currentName(in: url, versions: versions.map(\.name)))
  }

  private static func readVersion(at folder: URL) throws(ModelError) -> Version {
    let file = folder.appendingPathComponent("contents")
    guard FileManager.default.fileExists(atPath: file.path) else {
      guard FileManager.default.fileExists(atPath: folder.path) else { throw .noSuchFile }
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("elements").path) {
        throw .unsupported(
          format: "elements", advice: "it was used before Xcode 4; open and save the model in a newer Xcode")
      }
      throw .notAModel(what: "the folder has no file “contents”")
    }
    let reading = try ModelContentsReader.read(try read(file))
    return Version(
      name: folder.deletingPathExtension().lastPathComponent, path: folder.path, model: reading.model,
      warnings: reading.warnings)
  }

  /// The rules of model-files.md 1: no file or an empty one is fine where there is one version only.
  private static func currentName(in url: URL, versions: [String]) throws(ModelError) -> String? {
    let only = versions.count == 1 ? versions.first : nil
    let file = url.appendingPathComponent(".xccurrentversion")
    guard FileManager.default.fileExists(atPath: file.path) else { return only }
    let list: PropertyList
    do {
      list = try PropertyList(parsing: try read(file))
    } catch let error as PropertyListError {
      throw .inFile(path: file.path, .unreadable(reason: error.description))
    } catch let error as ModelError {
      throw .inFile(path: file.path, error)
    } catch {
      throw .inFile(path: file.path, .unreadable(reason: "\(error)"))
    }
    guard let folder = list["_XCCurrentVersionName"]?.string else { return only }
    let name = folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(".xcdatamodel".count)) : folder
    guard versions.contains(name) else {
      throw .inFile(path: file.path, .noSuchVersion(name, existing: versions))
    }
    return name
  }

  private static func contents(of folder: URL) throws(ModelError) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    } catch CocoaError.fileReadNoSuchFile {
      throw .noSuchFile
    } catch {
      throw .unreadable(reason: "the folder can't be listed; check its permissions")
    }
  }

  /// More than any model needs: the largest genuine one has 200 kB.
  private static let maximumBytes = 64 << 20

  private static func read(_ file: URL) throws(ModelError) -> Data {
    var status = stat()
    if stat(file.path, &status) == 0 {
      // A FIFO in its place would never end.
      guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(reason: "it is no regular file") }
      guard status.st_size <= maximumBytes else {
        throw .unreadable(reason: "it has \(status.st_size) bytes, more than any model needs")
      }
    }
    do {
      return try Data(contentsOf: file)
    } catch {
      throw .unreadable(reason: "check that it is a file and its permissions")
    }
  }
}

private func inFile<Result>(
  _ url: URL, _ body: () throws(ModelError) -> Result
) throws(ModelError) -> Result {
  do {
    return try body()
  } catch {
    if case .inFile = error { throw error }
    throw .inFile(path: url.path, error)
  }
}
