package import DecantEngine
internal import DecantReport
internal import DecantSQLite
package import DecantStore
internal import FileNames
internal import Foundation

/// The stray rows of a store, which are quarantined before a step runs.
///
/// The quarantine consists of a store with the unchanged rows, a list, and a private copy of the source without the
/// rows. The first step reads the copy.
///
/// The copy has no references to the rows, except in columns that may not be NULL. There the references lead to no row,
/// which may happen in any store. So code that reads the copy needn't know the stray rows.
///
/// All these files follow from the source alone, so a resumed run makes the same files.
package struct StrayQuarantine: Sendable {
  /// References to stray rows that the copy lost.
  package struct Loss: Sendable {
    package let property: StoreLayout.Property
    /// Whether the references were pairs of a join table.
    ///
    /// If not, they were values of a column.
    let arePairs: Bool
    package let count: Int

    /// A sentence for plan and report.
    var sentence: String {
      switch (arePairs, count == 1) {
      case (false, true):
        "1 object has a relationship “\(property)” with a row that goes to quarantine; "
          + "the relationship is nil in the new store."
      case (false, false):
        "\(count) objects have a relationship “\(property)” with rows that go to quarantine; "
          + "the relationship is nil in the new store."
      case (true, true): "1 pair of “\(property)” has a row that goes to quarantine; the pair goes there too."
      case (true, false):
        "\(count) pairs of “\(property)” have rows that go to quarantine; the pairs go there too."
      }
    }
  }

  package let rows: StrayRows
  /// The stray rows' store and its list, in the work folder.
  package let files: QuarantineFiles
  /// The copy of the source without the rows.
  let rest: SourceStore
  package let losses: [Loss]

  /// The bytes of the stray rows' store on disk.
  var bytes: Int {
    var status = stat()
    return lstat(files.store, &status) == 0 ? Int(clamping: status.st_size) : 0
  }

  /// Sentences for plan and report.
  var sentences: [String] {
    rows.sentences { $0 ? "it goes to quarantine" : "they go to quarantine" } + losses.map(\.sentence)
  }

  /// Quarantines the rows.
  ///
  /// - Parameters:
  ///   - store: The source with the stray rows, whose checks have ended.
  ///   - files: The place of the stray rows' store and its list.
  ///   - copy: The path of the private copy.
  ///   - observer: Asked about once a second. False ends the work.
  /// - Throws: `StoreError`, `LayoutError`.
  package init(
    _ rows: StrayRows, of store: SourceStore, files: QuarantineFiles, copy: String,
    observer: (@Sendable () -> Bool)?
  ) throws {
    self.rows = rows
    self.files = files
    do {
      try StrayStore(rows: rows, source: store, files: files).make(observer: observer)
      losses = try StrayRemoval(rows: rows, aside: files.store).make(
        copy, of: store.readPath, observer: observer)
    } catch let error as SQLiteError {
      throw store.judged(error)
    }
    rest = try store.read(from: copy)
  }
}

extension StrayRows {
  /// The stray rows in a report.
  ///
  /// - Parameter files: The place of the files. `nil` for a plan, or if the rows stay.
  func report(_ files: QuarantineFiles?) -> MigrationReport.StrayRows {
    MigrationReport.StrayRows(
      store: files?.storeName, list: files?.listName, rows: count,
      tables: tables.map { .init(table: $0.table.name, rows: $0.rows) })
  }
}
