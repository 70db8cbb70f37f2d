/// Finds out whether the `-wal` or journal beside a store is the cause of damage.
///
/// If so, the store file alone is sound and needs no recovery.
struct ForeignSibling {
  let path: String
  let sibling: String
  /// The UUID in the metadata of the copy that contains the sibling; `nil` if it isn't known.
  var uuid: String?

  /// Like the function below, but the store file alone only has to open without an error.
  func judge(_ error: StoreError, observer: (@Sendable () -> Bool)? = nil) -> StoreError {
    judge(error, observer: observer) { _ in }
  }

  /// Decides which error to report for a check that failed on the copy.
  ///
  /// - Parameter check: The check; it is repeated on the store file alone.
  /// - Returns: `StoreError.foreignLog` if the store file alone passes the check, and its UUID is `uuid` or `uuid` is
  ///   `nil`. The disk error if the disk fails while the store file is checked. Otherwise the given error.
  func judge<Result>(
    _ error: StoreError, observer: (@Sendable () -> Bool)? = nil,
    _ check: (SourceStore) throws(StoreError) -> Result
  ) -> StoreError {
    guard let finding = Self.finding(error) else { return error }
    let original = error
    do throws(StoreError) {
      let alone = try SourceStore(
        path, header: try StoreFileHeader(readingFrom: path), siblings: .none, scratch: "", checksPages: true,
        seconds: nil, needsVersionHashes: true, observer: observer)
      if let uuid, alone.metadata.uuid != uuid { return error }
      _ = try check(alone)
    } catch {
      if error.diskFailure != nil { return error }
      return original
    }
    return .foreignLog(path: path, log: sibling, reason: "without it the store is sound, with it \(finding)")
  }

  /// The damage as a clause for a message; `nil` for errors that are not about the store's content.
  private static func finding(_ error: StoreError) -> String? {
    switch error {
    case .damaged(_, let findings): "the store is damaged (\(findings.first ?? "its pages"))"
    case .truncated, .notSQLite, .probablyEncrypted, .empty: "the store is not a complete SQLite database"
    case .notCoreData(_, let missing): "the store has no \(missing)"
    case .noVersionHashes, .damagedMetadata: "the store's metadata can't be read"
    case .tablesOfAnotherVersion(_, _, let missing):
      "the store's tables are those of another model (\(missing.first ?? "some") missing)"
    case .unknownTables(_, let tables), .cloudKit(_, let tables), .withoutRowID(_, let tables):
      "the store has tables that don't belong to it (\(tables.first ?? ""))"
    case .viewsAndTriggers(_, let names):
      "the store has views or triggers that Core Data doesn't make (\(names.first ?? ""))"
    case .entityNumbers, .strayRows, .strayKeys: "the store's rows or entity numbers don't fit its model"
    case .unsupportedModel, .unsettledTables: "the store's tables can't be determined"
    case .sqlite(let error):
      error.mayGetBetter || error.isInterrupt ? nil : "the store can't be read (\(error.message))"
    case .noSuchFile, .notARegularFile, .unreadable, .xmlStore, .notXMLStore, .damagedXML, .xmlContent,
      .binaryStore, .foreignLog, .otherForm, .tooSlow, .files, .disk:
      nil
    }
  }
}
