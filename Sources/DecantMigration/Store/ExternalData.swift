internal import DecantModel
internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import FileNames
package import Foundation

/// A store's external files: `.NAME_SUPPORT/_EXTERNAL_DATA/` (docs/formats/core-data-sqlite.md 7.2).
package struct ExternalData {
  /// `.NAME_SUPPORT` beside the store.
  package let folder: String

  package init(store: URL) {
    let path = store.path
    folder = PathText.folder(of: path) + "/" + StoreNames.support(PathText.name(of: path)).text
  }

  var files: String { folder + "/_EXTERNAL_DATA" }

  /// The folder from which values are read.
  ///
  /// If `folder` or `files` is a symbolic link, the result is a place without files.
  package var readableFiles: String { link == nil ? files : "/dev/null" }

  /// The first of `folder` and `files` that is a symbolic link; `nil` if neither is.
  var link: String? {
    [folder, files].first { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
  }

  func isThere() throws(StoreError) -> Bool { try Self.kind(of: folder) == S_IFDIR }

  func bytes() throws(StoreError) -> Int { try content().bytes }

  /// The number of regular files and the sum of their sizes; capped at `Int.max`, because sparse files may claim more.
  func content() throws(StoreError) -> (files: Int, bytes: Int) {
    guard try isThere() else { return (0, 0) }
    let files = try entries().filter { $0.kind == S_IFREG }
    return (
      files.count,
      files.reduce(0) { sum, entry in
        let (value, overflow) = sum.addingReportingOverflow(entry.size)
        return overflow ? Int.max : value
      }
    )
  }

  /// Sentences about values whose files are missing, about values without a file name, and about a symbolic link.
  func findings(
    in store: SourceStore, layout: StoreLayout, isRequired: Bool, family: String
  ) throws(MigrationFailure) -> [String] {
    var findings: [String] = []
    let shownLink = link.map {
      "“\(PathText.name(of: $0))” is a symbolic link, and no link is followed"
    }
    var isLinkTold = false
    for entity in layout.model.entities {
      for attribute in entity.attributes
      where attribute.allowsExternalBinaryDataStorage && !attribute.isTransient {
        guard let table = layout.table(of: entity.name),
          let column = layout.attributeColumn(attribute.name, of: entity.name)
        else { continue }
        let found = try references(
          column, table.name, store, name: .init(entity: entity.name, property: attribute.name))
        let (missing, malformed) = (found.missing, found.malformed)
        let place = "“\(entity.name).\(attribute.name)”"
        let noFile =
          "\(Self.values(malformed.count)) of \(place) \(malformed.count == 1 ? "names" : "name") no proper file "
          + "(\(malformed.keyText))"
        if missing > 0 {
          isLinkTold = isLinkTold || shownLink != nil
          findings.append(
            "\(Self.files(of: missing)) of \(place) \(missing == 1 ? "is" : "are") MISSING: "
              + "\(shownLink ?? "the store came without \(missing == 1 ? "it" : "them")"). "
              + "If the new version keeps values in its rows, such values become nil. Drop the store together with its "
              + "folder “\(PathText.name(of: folder))/_EXTERNAL_DATA”\(shownLink == nil ? "" : ", not a link")."
          )
        }
        if malformed.count > 0 {
          findings.append(
            "\(noFile); such values stay unchanged, or become nil if the new version keeps values in its rows.")
        }
        if isRequired, missing > 0 || malformed.count > 0 {
          throw MigrationFailure(
            .externalDataMissing,
            message: missing == 0
              ? "\(noFile)."
              : "\(Self.files(of: missing)) of \(place) \(missing == 1 ? "is" : "are") missing from \(folder)"
                + "\(shownLink.map { ": " + $0 } ?? "").",
            advice: missing == 0
              ? "Restore the store from a backup, or set requireExternalData: false in family.json5."
              : "Drop the store together with that folder, or set requireExternalData: false in family.json5.",
            family: family)
        }
      }
    }
    if let shownLink, !isLinkTold { findings.append(shownLink + ".") }
    return findings
  }

  private static func values(_ count: Int) -> String { counted(count, "value") }

  private static func files(of count: Int) -> String {
    "The external \(count == 1 ? "file" : "files") of \(values(count))"
  }

  /// The number of external values of an entity's own rows whose file is missing or has no valid name.
  func lostValues(
    of column: String, in table: String, entityNumber: Int, _ store: SourceStore
  ) throws(MigrationFailure) -> Int {
    let found = try references(
      column, table, store, name: .init(entity: "", property: ""), where: "Z_ENT = \(entityNumber)")
    return found.missing + found.nameless
  }

  private struct References {
    /// Values whose file doesn't exist.
    var missing = 0
    /// Values with the marker of a file and no valid name.
    var nameless = 0
    /// Nameless values, and values without any marker.
    var malformed: ExternalReferences.Malformed
  }

  private func references(
    _ column: String, _ table: String, _ store: SourceStore, name: ExternalReferences.Malformed,
    where condition: String = "1"
  ) throws(MigrationFailure) -> References {
    let folder = readableFiles
    var found = References(malformed: name)
    var unreadable: StoreError?
    do throws(SQLiteError) {
      let statement = try store.database.prepare(
        ExternalReferences.statement(column, in: table, where: condition))
      while try statement.step() {
        guard let name = ExternalReferences.fileName(statement.data(1)) else {
          found.malformed.add(statement.integer(0))
          if statement.integer(2) != 0 { found.nameless += 1 }
          continue
        }
        do throws(StoreError) {
          if try Self.kind(of: "\(folder)/\(name)") != S_IFREG { found.missing += 1 }
        } catch {
          unreadable = error
          break
        }
      }
    } catch {
      throw MigrationFailure(StoreError.sqlite(error))
    }
    // A file that can't be examined isn't missing: another attempt may find it.
    if let unreadable { throw MigrationFailure(unreadable) }
    return found
  }

  /// Copies one value's file to another store's place and syncs it to disk; a missing file stays missing.
  func copy(file name: String, to target: ExternalData) throws(StoreError) {
    guard link == nil, try Self.kind(of: "\(files)/\(name)") == S_IFREG else { return }
    for folder in [target.folder, target.files] { try Self.makeFolder(folder) }
    let destination = "\(target.files)/\(name)"
    try? FileManager.default.removeItem(atPath: destination)
    try FileCopy.copy("\(files)/\(name)", to: destination, keepsPermissions: true)
    try FileCopy.sync(destination)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  func sync() throws(StoreError) {
    guard try isThere() else { return }
    for folder in [files, folder] { try FileCopy.sync(folder) }
  }

  /// Makes a hard link to a file; false if the file system or the file's owner doesn't allow that.
  static func link(_ file: String, to name: String) throws(StoreError) -> Bool {
    guard Foundation.link(file, name) != 0 else { return true }
    guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP].contains(errno) else { throw FileCopy.failure(name, "linked") }
    return false
  }

  static func makeFolder(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw FileCopy.failure(path, "made") }
  }

  private static func kind(of path: String) throws(StoreError) -> mode_t? {
    var status = stat()
    guard lstat(path, &status) != 0 else { return status.st_mode & S_IFMT }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileCopy.failure(path, "looked at") }
    return nil
  }

  struct Entry {
    let name: String
    let kind: mode_t
    /// The size of a regular file, in bytes.
    let size: Int
    let device: dev_t
    let inode: ino_t
    /// The number of the file's names.
    let links: nlink_t
  }

  /// All entries below the folder, parents first; links aren't followed.
  func entries() throws(StoreError) -> [Entry] {
    var found: [Entry] = []
    var waiting = [""]
    while let below = waiting.popLast() {
      let path = below.isEmpty ? folder : folder + "/" + below
      guard let names = DiskRead.names(in: path) else { throw FileCopy.failure(path, "listed") }
      for name in names.sorted() {
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
            device: status.st_dev, inode: status.st_ino, links: status.st_nlink))
        if kind == S_IFDIR { waiting.append(relative) }
      }
    }
    return found
  }
}
