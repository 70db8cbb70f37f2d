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

  /// The same where values are read: a link in its place, or in that of the folder above, leads nowhere.
  var readableFiles: String {
    var (outer, inner) = (stat(), stat())
    let isLinked =
      (lstat(folder, &outer) == 0 && outer.st_mode & S_IFMT == S_IFLNK)
      || (lstat(files, &inner) == 0 && inner.st_mode & S_IFMT == S_IFLNK)
    return isLinked ? "/dev/null" : files
  }

  func isThere() throws(StoreError) -> Bool { try Self.kind(of: folder) == S_IFDIR }

  /// The size of all regular files; as much as a number holds where sparse files claim more.
  func bytes() throws(StoreError) -> Int {
    guard try isThere() else { return 0 }
    return try entries().reduce(0) { sum, entry in
      let (value, overflow) = sum.addingReportingOverflow(entry.size)
      return overflow ? Int.max : value
    }
  }

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
            "\(Self.values(missing)) of \(place) should be in files that are MISSING: the store came without them, and "
              + "where the new version keeps values in its rows they become nil. Drop it together with its folder "
              + "“\((folder as NSString).lastPathComponent)/_EXTERNAL_DATA”.")
        }
        if malformed > 0 {
          findings.append(
            "\(Self.values(malformed)) of \(place) \(malformed == 1 ? "names" : "name") no proper file; kept as they are, "
              + "or nil where the new version keeps values in its rows.")
        }
        if isRequired, missing > 0 {
          throw MigrationFailure(
            disposition: .refuse, reason: "external-data-missing", coreDataCode: 134_110,
            message:
              "\(Self.values(missing)) of \(place) should be in files that are missing from \(folder).",
            advice:
              "Drop the store together with that folder, or set requireExternalData: false in family.json5.",
            family: family)
        }
      }
    }
    return findings
  }

  private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

  private func missingFiles(
    _ column: String, _ table: String, _ store: SourceStore
  ) throws(MigrationFailure) -> (missing: Int, malformed: Int) {
    let folder = readableFiles
    var missing = 0
    var malformed = 0
    var unreadable: StoreError?
    do throws(SQLiteError) {
      let statement = try store.database.prepare(
        "SELECT substr(\(quoted(column)), 2, 37) FROM \(quoted(table)) "
          + "WHERE typeof(\(quoted(column))) = 'blob' AND substr(\(quoted(column)), 1, 1) = x'02'")
      while try statement.step() {
        let bytes = statement.data(0)
        let name = String(decoding: bytes.prefix(36), as: UTF8.self)
        if UUID(uuidString: name) == nil {
          malformed += 1
          continue
        }
        do throws(StoreError) {
          if try Self.kind(of: "\(folder)/\(name)") != S_IFREG { missing += 1 }
        } catch {
          unreadable = error
          break
        }
      }
    } catch {
      throw MigrationFailure(StoreError.sqlite(error))
    }
    // What can't be looked at is not missing: another try may see it.
    if let unreadable { throw MigrationFailure(unreadable) }
    return (missing, malformed)
  }

  /// Copies regular files and folders to another store's place, each made durable; links and devices are left out
  /// and named.
  ///
  /// - Parameter links: Whether a file may get a second name instead of a copy.
  func copy(to target: ExternalData, links: Bool = false) throws(StoreError) -> [String] {
    var oddities: [String] = []
    guard try isThere() else { return oddities }
    try Self.makeFolder(target.folder)
    var folders = [target.folder]
    for entry in try entries() {
      let destination = target.folder + "/" + entry.name
      switch entry.kind {
      case S_IFDIR:
        try Self.makeFolder(destination)
        folders.append(destination)
      case S_IFREG:
        try? FileManager.default.removeItem(atPath: destination)
        let isLinked =
          links && entry.isAlone ? try Self.link(folder + "/" + entry.name, to: destination) : false
        if !isLinked {
          try FileCopy.copy(folder + "/" + entry.name, to: destination, keepsPermissions: true)
        }
        try FileCopy.sync(destination)
      default: oddities.append("\(folder)/\(entry.name) is neither a file nor a folder; it is left out.")
      }
    }
    for path in folders.reversed() { try FileCopy.sync(path) }
    return oddities
  }

  /// Gives a file a second name; false where the file system or the file's owner doesn't allow that.
  private static func link(_ file: String, to name: String) throws(StoreError) -> Bool {
    guard Foundation.link(file, name) != 0 else { return true }
    guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP].contains(errno) else { throw FileCopy.failure(name, "linked") }
    return false
  }

  private static func makeFolder(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileCopy.failure(path, "made") }
  }

  /// `nil` where there is nothing of that name.
  private static func kind(of path: String) throws(StoreError) -> mode_t? {
    var status = stat()
    guard lstat(path, &status) != 0 else { return status.st_mode & S_IFMT }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileCopy.failure(path, "looked at") }
    return nil
  }

  private struct Entry {
    let name: String
    let kind: mode_t
    /// Of a regular file.
    let size: Int
    /// It has no other name, under which somebody could still write to it.
    let isAlone: Bool
  }

  /// Everything below the folder, parents first; no link is followed.
  private func entries() throws(StoreError) -> [Entry] {
    var found: [Entry] = []
    var waiting = [""]
    while let below = waiting.popLast() {
      let path = below.isEmpty ? folder : folder + "/" + below
      let names: [String]
      errno = 0
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      } catch {
        if errno == 0 { errno = EIO }
        throw FileCopy.failure(path, "listed")
      }
      for name in names {
        let relative = below.isEmpty ? name : below + "/" + name
        var status = stat()
        guard lstat(folder + "/" + relative, &status) == 0 else {
          if errno == ENOENT { continue }
          throw FileCopy.failure(folder + "/" + relative, "looked at")
        }
        let kind = status.st_mode & S_IFMT
        found.append(
          Entry(
            name: relative, kind: kind, size: kind == S_IFREG ? Int(status.st_size) : 0,
            isAlone: status.st_nlink == 1))
        if kind == S_IFDIR { waiting.append(relative) }
      }
    }
    return found
  }
}
