internal import DecantStore
internal import Foundation

/// The files beside a store that hold large binary values (core-data-sqlite.md 7, “External storage”).
struct ExternalData {
  /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  let folder: String
  let isThere: Bool
  /// Values that name a file.
  private(set) var references = 0
  /// Names of files that values name but the folder lacks: the first hundred.
  private(set) var missing: [String] = []
  private(set) var missingCount = 0
  /// Files that no value names.
  private(set) var unusedCount = 0

  /// The folder that travels with a store.
  static func supportFolder(of store: String) -> String {
    let url = URL(fileURLWithPath: store)
    return url.deletingLastPathComponent().path
      + "/.\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
  }

  /// Looks for references in every binary column, with or without a model.
  init(of store: SourceStore, tables: [String]) throws(CommandFailure) {
    folder = Self.supportFolder(of: store.path) + "/_EXTERNAL_DATA"
    isThere = access(folder, F_OK) == 0
    var named: Set<String> = []
    do {
      for table in tables {
        let columns = try store.database.rows(
          "SELECT name FROM pragma_table_info(?) WHERE upper(type) = 'BLOB'", [.text(table)])
        for case .text(let column) in columns.compactMap(\.first) {
          let name = quoted(column)
          let statement = try store.database.prepare(
            "SELECT CAST(substr(\(name), 2, 36) AS TEXT) FROM \(quoted(table)) "
              + "WHERE typeof(\(name)) = 'blob' AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
          while try statement.step() {
            guard case .text(let file) = statement.value(0), UUID(uuidString: file) != nil else { continue }
            references += 1
            if named.insert(file).inserted { note(file) }
          }
        }
      }
    } catch {
      throw CommandFailure(StoreError.sqlite(error))
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    unusedCount = files.filter { !named.contains($0) }.count
  }

  private mutating func note(_ file: String) {
    guard access(folder + "/" + file, F_OK) != 0 else { return }
    missingCount += 1
    if missing.count < 100 { missing.append(file) }
  }
}
