internal import DecantModel
internal import FileNames
public import Foundation

/// The families that a daemon or a command knows.
public struct Catalogue: Sendable {
  public let url: URL
  /// In name order; only the one that was asked for where one was.
  public let states: [FamilyState]
  /// The names of all families that there are, read or not.
  public let names: [String]

  /// The families that can be used.
  public var families: [Family] {
    states.compactMap { if case .ready(let family) = $0 { family } else { nil } }
  }

  /// The families that can't, each with its reason.
  public var brokenFamilies: [BrokenFamily] {
    states.compactMap { if case .broken(let family) = $0 { family } else { nil } }
  }

  /// Reads a catalogue: a folder with one folder for each family.
  ///
  /// A folder that holds models or a `family.json5` itself is taken as a catalogue of that one family, and so is an
  /// `.xcdatamodeld` or `.momd`, with the mapping models, `family.json5` and `reference/` beside it. Hidden entries and loose files are passed over. A family that can't be read is kept as broken.
  ///
  /// - Parameter family: Only this family is read; `nil` for all.
  /// - Throws: `CatalogueError` where the folder isn't there or can't be listed.
  public static func read(at url: URL, family: String? = nil) throws(CatalogueError) -> Catalogue {
    try read(at: url, family: family) { readFamily(named: $0, at: $1) }
  }

  /// Reads a catalogue, each of its families by `reader`, which is given name and folder.
  static func read(
    at url: URL, family: String?, reader: (String, URL) -> FamilyState
  ) throws(CatalogueError) -> Catalogue {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw .notFound(path: url.path)
    }
    guard isFolder.boolValue, let names = DiskRead.names(in: url.path) else {
      throw .unreadable(path: url.path)
    }
    // A shell that stands in a bundle gives it as a dot.
    let given = url.standardizedFileURL
    let url = FamilyPlace(given).isBundle ? given : url
    let isFamily =
      FamilyPlace(url).isBundle
      || names.contains { name in
        name == "family.json5"
          || [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { name.hasSuffix($0) }
      }
    if isFamily {
      let name = url.standardizedFileURL.deletingPathExtension().lastPathComponent
      let isWanted = family.map { FileName.meant(by: $0, among: [name]) != nil } ?? true
      return Catalogue(url: url, states: isWanted ? [reader(name, url)] : [], names: [name])
    }
    let folders = names.filter { !$0.hasPrefix(".") }.sorted(by: NameOrder.codePoints).filter { name in
      var isFolder: ObjCBool = false
      let path = url.appendingPathComponent(name).path
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
    let wanted = family.map { FileName.meant(by: $0, among: folders).map { [$0] } ?? [] } ?? folders
    return Catalogue(
      url: url,
      states: wanted.map { reader($0, url.appendingPathComponent($0)) },
      names: folders)
  }

  private static func readFamily(named name: String, at folder: URL) -> FamilyState {
    // Looked at before it is read: what changes meanwhile shows later.
    readFamily(
      named: name, at: folder,
      seen: FolderState(of: FamilyPlace(folder), at: Int(Date().timeIntervalSince1970)))
  }

  static func readFamily(named name: String, at folder: URL, seen state: FolderState?) -> FamilyState {
    let read = FamilyReader(name: name, folder: folder).state()
    guard case .ready(var family) = read else { return read }
    family.state = state
    return .ready(family)
  }
}
