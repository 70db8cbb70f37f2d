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

  /// A version that could not be read, and without which the others can be used.
  public struct LeftOut: Sendable {
    public let name: String
    public let error: ModelError
  }

  /// The bundle's name without its extension.
  public let name: String
  /// In natural order of their names, which is for display alone.
  public let versions: [Version]
  /// The version that `.xccurrentversion` or `VersionInfo.plist` names, or the only one.
  public let currentVersionName: String?
  /// The version that `VersionInfo.plist` names as the current one though its file isn't there.
  public let missingCurrentName: String?
  /// What was left out to read a single version, or as far as can be read; none where the whole was asked for.
  public internal(set) var leftOut: [LeftOut] = []

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
  /// An `.omo` is never read itself: the `.mom` of the same name beside it says the same
  /// (docs/formats/model-files.md 5).
  ///
  /// - Parameter name: The version that is wanted, with or without its extension: others that can't be read are left
  ///   out. `nil` for all.
  /// - Throws: `ModelError.inFile` with the file that is at fault.
  public static func read(at url: URL, version name: String? = nil) throws(ModelError) -> ModelBundle {
    try ModelFile.inFile(url) { () throws(ModelError) in
      switch url.pathExtension {
      case "xcdatamodel": return ModelBundle(only: try readVersion(at: url))
      case "xcdatamodeld": return try readBundle(at: url, only: name)
      case "mom": return ModelBundle(only: try readCompiledVersion(at: url))
      case "momd": return try readCompiledBundle(at: url, only: name)
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

  /// The versions of a bundle that can be read by themselves, with the others left out; `nil` where there are none.
  package static func readable(at url: URL) -> ModelBundle? {
    if let whole = try? read(at: url) { return whole }
    let files = (try? ModelFile.contents(of: url)) ?? []
    var versions: [Version] = []
    var leftOut: [LeftOut] = []
    for file in files where ["xcdatamodel", "mom"].contains(file.pathExtension) {
      do throws(ModelError) {
        versions += try read(at: file).versions
      } catch {
        leftOut.append(LeftOut(name: file.deletingPathExtension().lastPathComponent, error: error))
      }
    }
    guard !versions.isEmpty else { return nil }
    var bundle = ModelBundle(
      name: url.deletingPathExtension().lastPathComponent, versions: versions, currentVersionName: nil)
    bundle.leftOut = leftOut
    return bundle
  }

  /// What is wrong with each of the versions of a bundle; nothing where all of it can be read.
  public static func faults(at url: URL) -> [ModelError] {
    let whole: ModelError
    do throws(ModelError) {
      _ = try read(at: url)
      return []
    } catch {
      whole = error
    }
    let folder = ["xcdatamodeld", "momd"].contains(url.pathExtension) ? url : nil
    let files = folder.flatMap { try? ModelFile.contents(of: $0) } ?? []
    let faults = files.filter { ["xcdatamodel", "mom"].contains($0.pathExtension) }.compactMap {
      file -> ModelError? in
      do throws(ModelError) {
        _ = try read(at: file)
        return nil
      } catch {
        return error
      }
    }
    return faults.isEmpty ? [whole] : faults
  }

  /// Reads the versions of a bundle; where one is wanted by name, what is wrong with others is only noted.
  static func readVersions(
    _ files: [URL], only name: String?, leftOut: inout [LeftOut],
    _ read: (URL) throws(ModelError) -> Version
  ) throws(ModelError) -> [Version] {
    var versions: [Version] = []
    for file in files {
      let own = file.deletingPathExtension().lastPathComponent
      do throws(ModelError) {
        versions.append(try ModelFile.inFile(file) { () throws(ModelError) in try read(file) })
      } catch {
        guard let name, name != own, name != file.lastPathComponent else { throw error }
        leftOut.append(LeftOut(name: own, error: error))
      }
    }
    return versions
  }

  private init(only version: Version) {
    self.init(name: version.name, versions: [version], currentVersionName: version.name)
  }

  package init(
    name: String, versions: [Version], currentVersionName: String?, missingCurrentName: String? = nil
  ) {
    self.missingCurrentName = missingCurrentName
    self.name = name
    self.versions = versions.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    self.currentVersionName = currentVersionName
  }
}
