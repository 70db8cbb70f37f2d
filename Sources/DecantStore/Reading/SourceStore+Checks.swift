package import DecantSQLite

extension SourceStore {
  /// Whether a parallel check has failed.
  package var hasFailedCheck: Bool { checks?.hasFailed ?? false }

  /// Waits until the file was read once, if it is read in parallel.
  ///
  /// - Parameter goesOn: Asked about once a second; false ends the waiting.
  package func awaitScan(while goesOn: () -> Bool) { _ = scanned(while: goesOn) }

  func scanned(while goesOn: () -> Bool) -> StoreScan? { scan ?? checks?.scanned(while: goesOn) }

  /// Runs a check at once, or in parallel if the store is checked in parallel.
  ///
  /// - Parameter check: The check; its argument is the connection that it must use. It may run on another thread.
  package func check(
    _ check: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Void
  ) throws(StoreError) {
    let bounded = StoreReader(path: path, seconds: seconds).bounded(check)
    if let checks { checks.add(bounded) } else { try bounded(database) }
  }

  /// Checks every page and compares every index with its table.
  ///
  /// This takes longer than the checks before a migration.
  package func checkWhole() throws(StoreError) {
    let reader = StoreReader(path: path, seconds: seconds * 20)
    try reader.bounded { database throws(StoreError) in
      try reader.checkPages(database, statement: "PRAGMA integrity_check(10)")
    }(database)
  }

  /// Waits for the parallel checks.
  ///
  /// - Parameter goesOn: Called about once a second; false cancels the checks.
  /// - Throws: The error of a check, or `StoreError.stopped(path:)` if the checks were cancelled.
  package func finishChecks(while goesOn: () -> Bool) throws(StoreError) { try checks?.wait(while: goesOn) }

  /// Cancels the parallel checks.
  package func endChecks() { checks?.cancel() }
}

extension StoreError {
  /// The error for work on a file if a caller has stopped the work.
  package static func stopped(path: String) -> Self { .sqlite(.stopped(path: path)) }

  /// Whether the error means that a caller has stopped the work.
  package var isStop: Bool {
    if case .sqlite(let error) = self { error.interruption == .request } else { false }
  }
}
