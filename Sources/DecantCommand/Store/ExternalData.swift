internal import DecantMigration
internal import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation

/// The files beside a store that hold large binary values (docs/formats/core-data-sqlite.md 7.2).
struct ExternalData {
  /// The largest number of file names that are kept in memory.
  ///
  /// If more files are named, unused files aren't counted.
  private static let mostNames = 1_000_000

  /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  let folder: String
  /// Whether the folder exists; links don't count.
  let isThere: Bool
  /// The path of `.NAME_SUPPORT` or of `folder`, if it is a symbolic link; `nil` if neither is.
  let link: String?
  /// Values with the marker of external storage that contain their data; counted only with a model.
  private(set) var inline = 0
  /// Values that name a file.
  private(set) var references = 0
  /// The first hundred names of missing files.
  private(set) var missing: [String] = []
  private(set) var missingCount = 0
  /// Number of different names in values that lead to a link, folder or device.
  private(set) var irregularCount = 0
  /// Values with the marker of a file but no proper name after it, or without any marker, by attribute.
  private(set) var malformed: [ExternalReferences.Malformed] = []
  var malformedCount: Int { malformed.reduce(0) { $0 + $1.count } }
  /// Files that no value names; `nil` if they aren't counted.
  private(set) var unusedCount: Int? = 0

  private var named: Set<UUID>? = []

  static func supportFolder(of store: String) -> String {
    PathText.folder(of: store) + "/" + StoreNames.support(PathText.name(of: store)).text
  }

  /// Reads references from attributes with external storage, or from every binary column if no model is known.
  init(of store: SourceStore, tables: [String], layout: StoreLayout?) throws(StoreError) {
    let support = Self.supportFolder(of: store.path)
    folder = support + "/_EXTERNAL_DATA"
    link = [support, folder].first { Self.kind(of: $0) == S_IFLNK }
    isThere = Self.kind(of: support) == S_IFDIR && Self.kind(of: folder) == S_IFDIR
    for table in tables {
      guard let layout else {
        for column in try Self.binaryColumns(of: table, store) { try followReferences(column, table, store) }
        continue
      }
      for (column, property) in Self.columns(of: table, store, layout) {
        try countInline(column, table, store)
        try followReferences(column, table, store, of: property)
      }
    }
    countUnused()
    named = nil
  }

  private static func binaryColumns(of table: String, _ store: SourceStore) throws(StoreError) -> [String] {
    try store.rows(
      "SELECT name FROM pragma_table_info('\(table.replacing("'", with: "''"))') WHERE upper(type) = 'BLOB'"
    )
    .compactMap { if case .text(let name)? = $0.first { name } else { nil } }
  }

  private static func columns(
    of table: String, _ store: SourceStore, _ layout: StoreLayout
  ) -> [(column: String, property: StoreLayout.Property)] {
    let present = store.schema.tables[table] ?? []
    let columns = layout.tables.first { $0.name == table }?.columns ?? []
    return columns.compactMap { column in
      guard case .attribute(let property) = column.role, present.contains(column.name),
        layout.model.attribute(property.name, of: property.entity)?.allowsExternalBinaryDataStorage == true
      else { return nil }
      return (column.name, property)
    }
  }

  private mutating func countInline(_ column: String, _ table: String, _ store: SourceStore) throws(StoreError)
  {
    let name = quoted(column)
    let row = try store.rows(
      "SELECT count(*) FROM \(quoted(table)) WHERE typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = x'01'"
    ).first
    inline += Int(row?.first?.integer ?? 0)
  }

  /// Without a model, only values that look like a reference count.
  private mutating func followReferences(
    _ column: String, _ table: String, _ store: SourceStore, of property: StoreLayout.Property? = nil
  ) throws(StoreError) {
    let name = quoted(column)
    var malformed = ExternalReferences.Malformed(
      entity: property?.entity ?? table, property: property?.name ?? column)
    let hasKey = property != nil && store.schema.tables[table]?.contains("Z_PK") == true
    do {
      let statement = try store.database.prepare(
        hasKey
          ? ExternalReferences.statement(column, in: table)
          : "SELECT 0, substr(\(name), 2, 36) FROM \(quoted(table)) "
            + "WHERE typeof(\(name)) = 'blob' AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
      while try statement.step() {
        // A name that isn't a UUID, such as a path, is never opened.
        guard let file = ExternalReferences.fileName(statement.data(1)), let uuid = UUID(uuidString: file)
        else {
          malformed.add(statement.integer(0))
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
    if malformed.count > 0 { self.malformed.append(malformed) }
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

  /// Counts unused files; reads the folder name by name, because it may hold any number of files.
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

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
