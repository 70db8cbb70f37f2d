internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation

/// The files of a quarantine: a store of the refused objects, and a list with the reasons.
struct QuarantineFiles: Sendable, Hashable {
  /// The path without extensions.
  let stem: String

  var store: String { stem + ".sqlite" }
  var list: String { stem + ".json" }
  var storeName: String { PathText.name(of: store).text }
  var listName: String { PathText.name(of: list).text }

  /// In a work folder, for a step counted from 1.
  init(workFolder: URL, step: Int) {
    stem = workFolder.appendingPathComponent("step-\(step).quarantine").path
  }

  /// Files beside an output: `NAME.quarantine`, with the step's number unless it is the last step.
  init(output: URL, step: Int, of steps: Int) {
    stem = output.deletingPathExtension().path + ".quarantine" + (step < steps ? "-\(step)" : "")
  }

  /// Whether a name is one of a work folder's files of a step's quarantine.
  static func isOfStep(_ name: String) -> Bool {
    name.hasPrefix("step-") && (name.hasSuffix(".quarantine.sqlite") || name.hasSuffix(".quarantine.json"))
  }

  /// Of a source's stray rows, in a work folder.
  init(strayRowsIn workFolder: URL) { stem = workFolder.appendingPathComponent("source.quarantine").path }

  /// Files of a source's stray rows, beside an output: `NAME.quarantine-source`.
  init(strayRowsBeside output: URL) { stem = output.deletingPathExtension().path + ".quarantine-source" }

  /// Removes the files that an earlier run may have left.
  func remove() {
    for path in [store, store + "-journal", store + "-wal", store + "-shm", list] { unlink(path) }
  }

  /// Syncs the files to disk.
  func sync() throws(StoreError) {
    for path in [store, list, PathText.folder(of: store)] { try FileCopy.sync(path) }
  }

  /// Whether the store exists.
  var isThere: Bool { FileManager.default.fileExists(atPath: store) }

  /// Delivers the files to another place, with copies of the external files that the objects' values are in; the store
  /// comes last.
  ///
  /// The files stay here too. A run that ends before its result stands in its place delivers them again.
  ///
  /// The delivered store keeps all external files, because another object may use the same.
  ///
  /// - Throws: `StoreError`, also where the files aren't here; `SQLiteError`.
  func deliver(to target: QuarantineFiles, layout: StoreLayout, external: ExternalData) throws {
    let beside = ExternalData(store: URL(fileURLWithPath: target.store))
    try forEachExternalName(layout) { name in try external.copy(file: name, to: beside) }
    try beside.sync()
    for (file, name) in [(list, target.list), (store, target.store)] {
      unlink(name)
      guard try !ExternalData.link(file, to: name) else { continue }
      try FileCopy.copy(file, to: name)
      try FileCopy.sync(name)
    }
    try FileCopy.sync(PathText.folder(of: target.store))
  }

  /// Calls the body with each external file name in the store's values.
  func forEachExternalName(_ layout: StoreLayout, _ body: (String) throws -> Void) throws {
    let database = try SQLiteDatabase(store, mode: .immutable)
    for table in layout.tables {
      for column in table.columns {
        guard case .attribute(let property) = column.role,
          layout.model.attribute(property.name, of: property.entity)?.allowsExternalBinaryDataStorage == true
        else { continue }
        let statement = try database.prepare(ExternalReferences.statement(column.name, in: table.name))
        while try statement.step() {
          if let name = ExternalReferences.fileName(statement.data(1)) { try body(name) }
        }
      }
    }
  }
}
