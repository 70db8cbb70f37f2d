internal import DecantStore
internal import Foundation

/// Rows that belong to no entity of their table.
///
/// Such a store is refused, or the rows are put aside before a step.
extension JobPreparation {
  /// The stray rows that are to be put aside; `nil` if the store has none.
  ///
  /// - Throws: `MigrationFailure` if the store has stray rows and the family refuses such stores; if they came with a
  ///   `-wal` or journal and don't exist without it; if keys aren't as Core Data gives them.
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
    // A damaged store may appear to have stray rows.
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

  /// Puts the stray rows aside and returns the store without them.
  func putAside(
    _ rows: StrayRows, of store: SourceStore, _ settling: LayoutSettling
  ) throws(MigrationFailure) -> StrayQuarantine {
    do {
      let made = try StrayQuarantine(
        rows, of: store, files: QuarantineFiles(strayRowsIn: job.workFolder),
        copy: job.workFolder.appendingPathComponent("copy/rest.sqlite").path, observer: observer)
      // The copy with the log folded in isn't needed any more. It is as large as the copy without the rows.
      if store.readPath != store.path { unlink(store.readPath) }
      return made
    } catch let error as LayoutError {
      throw settling.failure(error, of: settling.source)
    } catch {
      throw MigrationFailure(running: error, family: settling.family.name, store: name)
    }
  }
}
