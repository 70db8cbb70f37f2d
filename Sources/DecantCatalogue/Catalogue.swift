internal import DecantModel
internal import FileNames
public import Foundation

/// The families that a daemon or a command knows.
public struct Catalogue: Sendable {
  public let url: URL
  /// The families in name order; only the requested family, if one was requested.
  public let states: [FamilyState]
  /// The names of all existing families, read or not.
  public let names: [String]

  /// The usable families.
  public var families: [Family] {
    states.compactMap { if case .ready(let family) = $0 { family } else { nil } }
  }

  /// The broken families, each with its reason.
  public var brokenFamilies: [BrokenFamily] {
    states.compactMap { if case .broken(let family) = $0 { family } else { nil } }
  }

  /// Reads a catalogue: a folder with one folder for each family.
  ///
  /// A folder that itself has models or a `family.json5` is a catalogue of that one family. So is an `.xcdatamodeld` or
  /// `.momd` bundle, with the mapping models, `family.json5` and `reference/` beside it. For a symbolic link to a
  /// bundle, the files beside the link are used if the link's name ends like a bundle's and there are such files;
  /// otherwise the files beside the bundle are used. Hidden entries and loose files are skipped. A family with a fault
  /// is kept as broken.
  ///
  /// - Parameter family: Only this family is read; `nil` for all.
  /// - Throws: `CatalogueError` if nothing is at the URL, or if it isn't a folder that can be listed.
  public static func read(at url: URL, family: String? = nil) throws(CatalogueError) -> Catalogue {
    try read(at: url, family: family) { readFamily(named: $0, at: $1) }
  }

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
    // The path may be “.” in a bundle, so the path is standardised first.
    let given = FamilyPlace.meant(by: url.standardizedFileURL)
    let url = FamilyPlace(given).isBundle ? given : url
    let isFamily =
      FamilyPlace(url).isBundle
      || names.contains { $0 == "family.json5" || FamilyPlace.isModel($0) && !$0.hasPrefix(".") }
    if isFamily {
      let place = url.standardizedFileURL
      let name = (FamilyPlace(place).isBundle ? place.deletingPathExtension() : place).lastPathComponent
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
    // The state is taken before reading, so that a change during the reading is detected later.
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
