package import DecantSQLite

extension SourceStore {
  /// Whether a check that is made beside the work has found something.
  package var hasFailedCheck: Bool { checks?.hasFailed ?? false }

  /// Makes a check: at once, or beside the work where the store is checked so.
  ///
  /// - Parameter check: Works over the connection that it is given, and on another thread than the caller's.
  package func check(
    _ check: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Void
  ) throws(StoreError) {
    let bounded = StoreReader(path: path, seconds: seconds).bounded(check)
    if let checks { checks.add(bounded) } else { try bounded(database) }
  }

  /// Looks at every page and compares every index with its table, which takes longer than what is looked at before a
  /// migration.
  ///
  /// - Throws: `StoreError`.
  package func checkWhole() throws(StoreError) {
    let reader = StoreReader(path: path, seconds: seconds * 20)
    try reader.bounded { database throws(StoreError) in
      try reader.checkPages(database, statement: "PRAGMA integrity_check(10)")
    }(database)
  }

  /// Waits for the checks that are made beside the work.
  ///
  /// - Parameter goesOn: Asked about once a second; false gives the checks up.
  /// - Throws: `StoreError`: what a check has found, or an interrupted one where they were given up.
  package func finishChecks(while goesOn: () -> Bool) throws(StoreError) { try checks?.wait(while: goesOn) }

  /// Ends the checks that are still being made, whose answer nobody needs any more.
  package func endChecks() { checks?.cancel() }
}

extension StoreError {
  /// Of work over a path that somebody has asked to end.
  package static func stopped(path: String) -> Self { .sqlite(.stopped(path: path)) }

  /// Whether somebody asked to stop.
  package var isStop: Bool {
    if case .sqlite(let error) = self { error.interruption == .request } else { false }
  }
}
