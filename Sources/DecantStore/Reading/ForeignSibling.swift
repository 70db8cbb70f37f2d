/// Tells whether what is wrong with a store came with the `-wal` or journal beside it: then the file alone is sound, and
/// nobody should recover it.
struct ForeignSibling {
  let path: String
  let sibling: String
  /// The store's identity with the sibling folded in, as far as it can be read.
  var uuid: String?

  /// The error for a copy with the sibling folded in: `StoreError.foreignLog` where the file alone is sound, else the
  /// same error.
  func judge(_ error: StoreError, observer: (@Sendable () -> Bool)? = nil) -> StoreError {
    judge(error, observer: observer) { _ in }
  }

  /// The same for a check that the copy didn't pass besides.
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

  /// What is wrong, in a few words; `nil` for what says nothing about the store's content.
  private static func finding(_ error: StoreError) -> String? {
    switch error {
    case .damaged(_, let findings): "the store is damaged (\(findings.first ?? "its pages"))"
    case .truncated, .notSQLite, .probablyEncrypted, .empty: "the store is no whole SQLite database"
    case .notCoreData(_, let missing): "the store has no \(missing)"
    case .noVersionHashes, .damagedMetadata: "the store's metadata can't be read"
    case .tablesOfAnotherVersion(_, _, let missing):
      "the store's tables are those of another model (\(missing.first ?? "some") missing)"
    case .unknownTables(_, let tables), .cloudKit(_, let tables), .withoutRowID(_, let tables):
      "the store has tables that don't belong to it (\(tables.first ?? ""))"
    case .entityNumbers, .strayRows, .strayKeys: "the store's entities have other numbers"
    case .unsupportedModel: "the store's tables can't be told"
    case .sqlite(let error):
      error.mayGetBetter || error.isInterrupt ? nil : "the store can't be read (\(error.message))"
    case .noSuchFile, .notARegularFile, .unreadable, .xmlStore, .notXMLStore, .damagedXML, .xmlContent,
      .binaryStore, .foreignLog, .otherForm, .tooSlow, .files, .disk:
      nil
    }
  }
}
