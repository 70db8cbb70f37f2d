internal import DecantConsole
internal import DecantShards
internal import FileNames

/// The stores without a result.
///
/// First come the stores in the ledgers, in their order, then the stores of the manifest that no ledger has.
struct OpenStores {
  struct Store {
    var path: FileName
    /// The line in the ledger that counts; `nil` if no ledger has the store.
    var line: LedgerLine?
  }

  let sum: LedgerSum
  /// The ledgers of the sum, in the order in which the sum has read them.
  let ledgers: [String]
  /// `nil` if no manifest was named, so that the stores that no ledger has aren't known.
  let manifest: Manifest?

  /// Visits all stores without a result; a failure of `body` ends the visit.
  func visit(_ body: (Store) throws(CommandFailure) -> Void) throws(CommandFailure) {
    var failure: CommandFailure?
    do throws(ShardError) {
      try visitAll { store in
        do throws(CommandFailure) { try body(store) } catch { failure = error }
        return failure == nil
      }
    } catch {
      throw CommandFailure(error)
    }
    if let failure { throw failure }
  }

  /// - Parameter goesOn: Gets a store; false ends the visit.
  private func visitAll(_ goesOn: (Store) -> Bool) throws(ShardError) {
    for (number, ledger) in ledgers.enumerated() {
      let lines = try LedgerLines(ledger)
      while let line = try lines.next() {
        guard sum.decides(line, ledger: number, offset: lines.place) else { continue }
        guard goesOn(Store(path: line.source, line: line)) else { return }
      }
    }
    guard sum.missing > 0, let manifest else { return }
    var paths = manifest.paths()
    var visited: Set<PathKey> = []
    while let bytes = try paths.next() {
      let path = FileName(bytes: bytes)
      guard sum.isMissing(path), visited.insert(PathKey(of: path)).inserted else { continue }
      guard goesOn(Store(path: path, line: nil)) else { return }
    }
    guard !manifest.hasChanged else { throw .changedManifest(path: manifest.path) }
  }
}
