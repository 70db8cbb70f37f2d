internal import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation

/// The stray rows of a store, put aside before a step runs: a store that holds them as they were, a list, and a private
/// copy of the store without them, which the first step reads.
///
/// The copy refers to none of them any more, so that whatever reads it needs to know nothing of them. All of it follows
/// from the store alone: a run that goes on from an earlier one makes the same.
struct StrayQuarantine: Sendable {
  /// What the copy lost with them.
  struct Loss: Sendable {
    let property: StoreLayout.Property
    /// Whether these were pairs of a join table; else values of a column.
    let arePairs: Bool
    let count: Int

    /// A sentence for plan and report.
    var sentence: String {
      switch (arePairs, count == 1) {
      case (false, true):
        "1 object has a relationship “\(property)” with a row that goes to quarantine; it is nil in the new store."
      case (false, false):
        "\(count) objects have a relationship “\(property)” with rows that go to quarantine; it is nil in the new store."
      case (true, true): "1 pair of “\(property)” is one with a row that goes to quarantine; it goes there too."
      case (true, false):
        "\(count) pairs of “\(property)” are some with rows that go to quarantine; they go there too."
      }
    }
  }

  let rows: StrayRows
  /// The store of the rows and its list, in the work folder.
  let files: QuarantineFiles
  /// The store without them.
  let rest: SourceStore
  let losses: [Loss]

  /// What the store of the rows takes of the disk.
  var bytes: Int {
    var status = stat()
    return lstat(files.store, &status) == 0 ? Int(clamping: status.st_size) : 0
  }

  /// Sentences for plan and report.
  var sentences: [String] {
    rows.sentences { $0 ? "it goes to quarantine" : "they go to quarantine" } + losses.map(\.sentence)
  }

  /// Puts the rows aside.
  ///
  /// - Parameters:
  ///   - store: The store that has them, checked.
  ///   - files: Where the store of the rows is made.
  ///   - copy: The path of the private copy.
  ///   - observer: Asked about once a second; false ends the work.
  /// - Throws: `StoreError`, `LayoutError`.
  init(
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
  /// What a report says of them.
  ///
  /// - Parameter files: Where they are; `nil` where they stay, or for a plan.
  func report(_ files: QuarantineFiles?) -> MigrationReport.StrayRows {
    MigrationReport.StrayRows(
      store: files?.storeName, list: files?.listName, rows: count,
      tables: tables.map { .init(table: $0.table.name, rows: $0.rows) })
  }
}
