internal import FileNames
public import Foundation

/// The model versions of one `.xcdatamodeld` or `.momd`, or the single one of an `.xcdatamodel` or `.mom`.
public struct ModelBundle: Sendable {
  /// One version of the bundle.
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

  /// An unreadable version; the others can be used without it.
  public struct LeftOut: Sendable {
    public let name: String
    public let error: ModelError
  }

  /// The bundle's name without its extension.
  public let name: String
  /// The versions in natural order of their names; this order is only for display.
  public let versions: [Version]
  /// The version named by `.xccurrentversion` or `VersionInfo.plist`, or the only version; `nil` if it isn't known.
  public let currentVersionName: String?
  /// The name of the current version in `VersionInfo.plist`, if there is no `.mom` of that name; otherwise `nil`.
  public let missingCurrentName: String?
  /// The unreadable versions that were left out; empty if everything was read.
  public internal(set) var leftOut: [LeftOut] = []

  /// The file name extensions that `read(at:)` accepts.
  public static let extensions: Set = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "omo"]

  /// The current version.
  ///
  /// - Throws: `ModelError.severalVersions` if the bundle doesn't name it, `noSuchVersion` if it was left out.
  public func currentVersion() throws(ModelError) -> Version {
    guard let currentVersionName else { throw .severalVersions(versions.map(\.name)) }
    return try version(named: currentVersionName)
  }

  /// The version with a name, which may end in `.xcdatamodel` or `.mom`.
  ///
  /// Names are compared by bytes. If no version has the name, a single version whose name differs only in its Unicode
  /// normal form is taken.
  ///
  /// - Throws: `ModelError.noSuchVersion`.
  public func version(named name: String) throws(ModelError) -> Version {
    let meant = Self.meant(name, among: versions.map(\.name)).map { FileName($0) }
    guard let meant, let version = versions.first(where: { FileName($0.name) == meant }) else {
      throw .noSuchVersion(name, existing: versions.map(\.name))
    }
    return version
  }

  /// The version that a name means; the name may end in `.xcdatamodel` or `.mom`.
  static func meant(_ name: String, among names: [String]) -> String? {
    let bare = [".xcdatamodel", ".mom"].compactMap { FileName(name).dropping($0)?.text }
    return ([name] + bare).lazy.compactMap { FileName.meant(by: $0, among: names) }.first
  }

  /// Reads a bundle, or a single version as a bundle of one.
  ///
  /// In place of an `.omo`, the `.mom` with the same name beside it is read: it has the same content
  /// (docs/formats/model-files.md 5).
  ///
  /// - Parameter name: The wanted version, with or without its extension. Other versions that can't be read are then
  ///   left out. If it is `nil`, every version must be readable.
  /// - Throws: `ModelError.inFile` with the faulty file.
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

  /// A bundle with only its readable versions; `nil` if no version is readable.
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

  /// The faults of a bundle and of its versions; empty if the whole bundle can be read.
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

  /// Reads the versions of a bundle.
  ///
  /// If one version is wanted by name, other versions that can't be read are added to `leftOut`.
  static func readVersions(
    _ files: [URL], only name: String?, leftOut: inout [LeftOut],
    _ read: (URL) throws(ModelError) -> Version
  ) throws(ModelError) -> [Version] {
    var versions: [Version] = []
    let names = files.map { $0.deletingPathExtension().lastPathComponent }
    let wanted = name.map { meant($0, among: names) ?? $0 }
    for (file, own) in zip(files, names) {
      do throws(ModelError) {
        versions.append(try ModelFile.inFile(file) { () throws(ModelError) in try read(file) })
      } catch {
        guard let wanted, FileName(wanted) != FileName(own) else { throw error }
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
