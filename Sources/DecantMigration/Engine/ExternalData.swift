internal import DecantModel
internal import DecantStore
internal import Foundation

/// The files that a store keeps beside itself: `.NAME_SUPPORT/_EXTERNAL_DATA/` (core-data-sqlite.md 7).
struct ExternalData {
  /// `.NAME_SUPPORT` beside the store.
  let folder: String

  init(store: URL) {
    let name = store.deletingPathExtension().lastPathComponent
    folder = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT").path
  }

  /// The folder with the values' files.
  var files: String { folder + "/_EXTERNAL_DATA" }

  var isThere: Bool { Self.kind(of: folder) == S_IFDIR }

  /// The size of all regular files.
  var bytes: Int { entries().reduce(0) { $0 + $1.size } }

  /// Sentences about values whose files are missing.
  ///
  /// - Throws: A refusal where the family requires external data and a file is missing.
  func findings(
    in store: SourceStore, layout: StoreLayout, isRequired: Bool, family: String
  ) throws(MigrationFailure) -> [String] {
    var findings: [String] = []
    for entity in layout.model.entities {
      for attribute in entity.attributes
      where attribute.allowsExternalBinaryDataStorage && !attribute.isTransient {
        guard let table = layout.table(of: entity.name),
          let column = layout.attributeColumn(attribute.name, of: entity.name)
        else { continue }
        let (missing, malformed) = try missingFiles(column, table.name, store)
        let place = "“\(entity.name).\(attribute.name)”"
        if missing > 0 {
          findings.append(
            "\(missing) \(missing == 1 ? "value" : "values") of \(place) should be in files that are MISSING: the "
              + "store came without them. Drop it together with its folder "
              + "“\((folder as NSString).lastPathComponent)/_EXTERNAL_DATA”.")
        }
        if malformed > 0 {
          findings.append("\(malformed) values of \(place) name no proper file; they are kept as they are.")
        }
        if isRequired, missing > 0 {
          throw MigrationFailure(
            disposition: .refuse, reason: "external-data-missing", coreDataCode: 134_110,
            message: "\(missing) values of \(place) are in files that are missing from \(folder).",
            advice:
              "Drop the store together with that folder, or set requireExternalData: false in family.json5.",
            family: family)
        }
      }
    }
    return findings
  }

  private func missingFiles(
    _ column: String, _ table: String, _ store: SourceStore
  ) throws(MigrationFailure) -> (missing: Int, malformed: Int) {
    var missing = 0
    var malformed = 0
    do {
      let statement = try store.database.prepare(
        "SELECT substr(\(quoted(column)), 2, 37) FROM \(quoted(table)) "
          + "WHERE typeof(\(quoted(column))) = 'blob' AND substr(\(quoted(column)), 1, 1) = x'02'")
      while try statement.step() {
        let bytes = statement.data(0)
        let name = String(decoding: bytes.prefix(36), as: UTF8.self)
        if UUID(uuidString: name) == nil {
          malformed += 1
        } else if Self.kind(of: "\(files)/\(name)") != S_IFREG {
          missing += 1
        }
      }
    } catch {
      throw MigrationFailure(StoreError.sqlite(error))
    }
    return (missing, malformed)
  }

  /// Copies regular files and folders to another store's place, each made durable; links and devices are left out
  /// and named.
  func copy(to target: ExternalData) throws(StoreError) -> [String] {
    var oddities: [String] = []
    guard isThere else { return oddities }
    try Self.makeFolder(target.folder)
    var folders = [target.folder]
    for entry in entries() {
      let destination = target.folder + "/" + entry.name
      switch entry.kind {
      case S_IFDIR:
        try Self.makeFolder(destination)
        folders.append(destination)
      case S_IFREG:
        try? FileManager.default.removeItem(atPath: destination)
        try FileCopy.copy(folder + "/" + entry.name, to: destination)
        try FileCopy.sync(destination)
      default: oddities.append("\(folder)/\(entry.name) is neither a file nor a folder; it is left out.")
      }
    }
    for path in folders.reversed() { try FileCopy.sync(path) }
    return oddities
  }

  private static func makeFolder(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileCopy.failure(path, "made") }
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Everything below the folder, parents first; no link is followed.
  private func entries() -> [(name: String, kind: mode_t, size: Int)] {
    var found: [(name: String, kind: mode_t, size: Int)] = []
    var waiting = [""]
    while let below = waiting.popLast() {
      let path = below.isEmpty ? folder : folder + "/" + below
      for name in ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() {
        let relative = below.isEmpty ? name : below + "/" + name
        var status = stat()
        guard lstat(folder + "/" + relative, &status) == 0 else { continue }
        let kind = status.st_mode & S_IFMT
        found.append((relative, kind, kind == S_IFREG ? Int(status.st_size) : 0))
        if kind == S_IFDIR { waiting.append(relative) }
      }
    }
    return found
  }
}
