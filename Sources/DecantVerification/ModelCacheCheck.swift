internal import DecantModel
internal import DecantSQLite

/// Checks the destination's own model (`Z_MODELCACHE`, docs/formats/core-data-sqlite.md 6.4).
///
/// A missing model is harmless. A wrong model could become the source of an inferred migration.
struct ModelCacheCheck {
  private let stores: StorePair

  init(_ stores: StorePair) {
    self.stores = stores
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    // An unchanged store keeps its cache, right or wrong.
    if stores.lineage.isOneVersion, try isAsBefore() { return }
    do {
      guard let model = try stores.destination.modelCache()?.model else { return }
      let (own, wanted) = (model.entityVersionHashes, stores.lineage.destination.entityVersionHashes)
      let names = Set(own.keys).union(wanted.keys).filter { own[$0] != wanted[$0] }.sorted()
      guard !names.isEmpty else { return }
      findings.add(
        .modelCache, name: "Z_MODELCACHE",
        examples: [
          "it is of another version; these entities differ: \(names.prefix(5).joined(separator: ", "))"
        ])
    } catch {
      findings.add(.modelCache, name: "Z_MODELCACHE", examples: ["\(error)"])
    }
  }

  private func isAsBefore() throws(SQLiteError) -> Bool {
    let name = "Z_MODELCACHE"
    guard stores.source.schema.tables[name] == stores.destination.schema.tables[name] else { return false }
    guard stores.source.schema.tables[name]?.contains("Z_CONTENT") == true else { return true }
    let query = "SELECT Z_CONTENT FROM %.\(name)"
    let (one, other) = (query.replacing("%", with: "source"), query.replacing("%", with: "main"))
    let lost = try stores.count("FROM (\(one) EXCEPT \(other))")
    let surplus = try stores.count("FROM (\(other) EXCEPT \(one))")
    return lost == 0 && surplus == 0
  }
}
