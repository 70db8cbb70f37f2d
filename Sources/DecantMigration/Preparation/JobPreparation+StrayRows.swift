internal import DecantCatalogue
internal import DecantEngine
internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Rows that belong to no entity of their table.
///
/// A store with such rows is refused, or the rows are quarantined before the first step.
extension JobPreparation {
  /// The stray rows to quarantine; `nil` if the store has none.
  ///
  /// - Throws: `MigrationFailure` if the family refuses stores with stray rows, or if the rows can't be quarantined,
  ///   for example because they came with a `-wal` or journal.
  func strayRows(
    in store: SourceStore, _ layout: StoreLayout, _ family: Family
  ) throws(MigrationFailure) -> StrayRows? {
    let isRefused = family.configuration.strayRows == .refuse
    do throws(StoreError) {
      guard isRefused else { return try acceptedStrayRows(in: store, layout) }
      try store.blamingSibling { store throws(StoreError) in
        try StoreCounts(store: store, layout: layout).checkStrayRows()
      }
      return nil
    } catch {
      throw MigrationFailure(error, family: family.name)
    }
  }

  private func acceptedStrayRows(
    in store: SourceStore, _ layout: StoreLayout
  ) throws(StoreError) -> StrayRows? {
    let found = try store.blamingSibling { store throws(StoreError) in
      try StoreCounts(store: store, layout: layout).strayRows()
    }
    guard let found else { return nil }
    // A damaged store may appear to have stray rows. So its checks are finished first.
    try store.finishChecks { observer?() ?? true }
    do throws(StoreError) {
      try store.blamingSibling { store throws(StoreError) in
        if let found = try StoreCounts(store: store, layout: layout).strayRows() {
          throw found.failure(path: store.path)
        }
      }
    } catch {
      guard case .strayRows = error else { throw error }
    }
    return found
  }

  /// Quarantines the stray rows, and makes a copy of the store without them.
  func putAside(
    _ rows: StrayRows, of store: SourceStore, _ settling: LayoutSettling
  ) throws(MigrationFailure) -> StrayQuarantine {
    do {
      try FileCopy.makeFolder(job.workFolder.path)
      SQLiteTemporaries.put(into: job.workFolder.path)
      defer { SQLiteTemporaries.leave(job.workFolder.path) }
      let copy = job.workFolder.appendingPathComponent("copy/rest.sqlite").path
      try checkRoom(for: copy, of: store.readPath, settling.family)
      let made = try StrayQuarantine(
        rows, of: store, files: QuarantineFiles(strayRowsIn: job.workFolder), copy: copy, observer: observer)
      // A copy that contains the `-wal` or journal is no longer needed, and is as large as the copy without stray rows.
      if store.readPath != store.path { unlink(store.readPath) }
      return made
    } catch let error as LayoutError {
      throw settling.failure(error, of: settling.source)
    } catch {
      throw MigrationFailure(running: error, family: settling.family.name, store: name)
    }
  }

  /// Checks whether there is space for a private copy of the store and for the copy's journal.
  ///
  /// The journal may become as large as the copy.
  private func checkRoom(for copy: String, of store: String, _ family: Family) throws(MigrationFailure) {
    guard let room = FreeRoom(in: job.workFolder.path) else { return }
    var status = stat()
    // `StrayQuarantine` reports a missing file.
    guard lstat(store, &status) == 0 else { return }
    let (bytes, isBeyond) = Int(clamping: status.st_size).multipliedReportingOverflow(by: 2)
    // The earlier run's copy and journal are removed first, so their space counts as free.
    let held = FreeRoom.held(by: copy) + FreeRoom.held(by: copy + "-journal")
    let need = (isBeyond ? Int.max : bytes) - held
    guard room.bytes < need else { return }
    throw room.failure(need: need, family: family.name)
  }
}
