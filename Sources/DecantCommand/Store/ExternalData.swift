internal import DecantStore
internal import Foundation

/// The files beside a store that hold large binary values (core-data-sqlite.md 7, “External storage”).
struct ExternalData {
  /// More names are not kept in memory; what no value uses is then not told.
  private static let mostNames = 1_000_000

  /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  let folder: String
  /// Whether there is such a folder; links don't count.
  let isThere: Bool
  /// Values that hold their data themselves, with the marker of external storage.
  private(set) var inline = 0
  /// Values that name a file.
  private(set) var references = 0
  /// Names of files that values name but the folder lacks: the first hundred.
  private(set) var missing: [String] = []
  private(set) var missingCount = 0
  /// Values that name a link, folder or device.
  private(set) var irregularCount = 0
  /// Values with the marker of a file but no proper name behind it, or with no marker at all.
  private(set) var malformedCount = 0
  /// Files that no value names; `nil` where there are too many to tell.
  private(set) var unusedCount: Int? = 0

  private var named: Set<UUID>? = []

  /// The folder that travels with a store.
  static func supportFolder(of store: String) -> String {
    let url = URL(fileURLWithPath: store)
    return url.deletingLastPathComponent().path
      + "/.\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
  }

  /// Looks for references in the attributes with external storage, or in every binary column where no model tells.
  init(of store: SourceStore, tables: [String], layout: StoreLayout?) throws(StoreError) {
    let support = Self.supportFolder(of: store.path)
    folder = support + "/_EXTERNAL_DATA"
    isThere = Self.kind(of: support) == S_IFDIR && Self.kind(of: folder) == S_IFDIR
    for table in tables {
      for column in try Self.columns(of: table, store, layout) {
        if layout != nil { try countMarkers(column, table, store) }
        try followReferences(column, table, store)
      }
    }
    countUnused()
    named = nil
  }

  private static func columns(
    of table: String, _ store: SourceStore, _ layout: StoreLayout?
  ) throws(StoreError) -> [String] {
    guard let layout else {
      return try store.rows(
        "SELECT name FROM pragma_table_info('\(table.replacing("'", with: "''"))') WHERE upper(type) = 'BLOB'"
      )
      .compactMap { if case .text(let name)? = $0.first { name } else { nil } }
    }
    let present = store.schema.tables[table] ?? []
    let columns = layout.tables.first { $0.name == table }?.columns ?? []
    return columns.compactMap { column in
      guard case .attribute(let property) = column.role, present.contains(column.name),
        layout.model.attribute(property.name, of: property.entity)?.allowsExternalBinaryDataStorage == true
      else { return nil }
      return column.name
    }
  }

  private mutating func countMarkers(_ column: String, _ table: String, _ store: SourceStore) throws(StoreError)
  {
    let name = quoted(column)
    let row = try store.rows(
      "SELECT count(*) FILTER (WHERE typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = x'01'), "
        + "count(*) FILTER (WHERE typeof(\(name)) <> 'blob' OR substr(\(name), 1, 1) NOT IN (x'01', x'02') "
        + "OR (substr(\(name), 1, 1) = x'02' AND length(\(name)) <> 38)) "
        + "FROM \(quoted(table)) WHERE \(name) IS NOT NULL"
    ).first
    inline += Int(row?.first?.integer ?? 0)
    malformedCount += Int(row?.last?.integer ?? 0)
  }

  private mutating func followReferences(
    _ column: String, _ table: String, _ store: SourceStore
  ) throws(StoreError) {
    let name = quoted(column)
    do {
      let statement = try store.database.prepare(
        "SELECT substr(\(name), 2, 36) FROM \(quoted(table)) "
          + "WHERE typeof(\(name)) = 'blob' AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
      while try statement.step() {
        let file = String(decoding: statement.data(0), as: UTF8.self)
        // A path, or anything else that is no UUID, is never looked at.
        guard let uuid = UUID(uuidString: file) else {
          malformedCount += 1
          continue
        }
        references += 1
        guard named?.insert(uuid).inserted ?? true else { continue }
        if let count = named?.count, count > Self.mostNames { named = nil }
        note(file)
      }
    } catch {
      throw .sqlite(error)
    }
  }

  private mutating func note(_ file: String) {
    switch isThere ? Self.kind(of: folder + "/" + file) : nil {
    case S_IFREG?: break
    case nil:
      missingCount += 1
      if missing.count < 100 { missing.append(file) }
    default: irregularCount += 1
    }
  }

  /// Reads the folder name by name, because it may hold any number of files.
  private mutating func countUnused() {
    guard isThere, let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      guard let named else {
        unusedCount = nil
        return
      }
      if UUID(uuidString: name).map({ !named.contains($0) }) ?? true { unusedCount = (unusedCount ?? 0) + 1 }
    }
  }

  /// `nil` where there is nothing of that name.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
