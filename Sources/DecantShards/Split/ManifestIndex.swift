/// The stores of a whole manifest, by their keys.
///
/// Memory is 16 bytes for each store.
package struct ManifestIndex: Sendable {
  /// As in `LedgerHead.manifest`.
  let digest: String
  /// In order, each once.
  let keys: [PathKey]

  init(digest: String, keys: [PathKey]) {
    self.digest = digest
    var distinct: [PathKey] = []
    for key in keys.sorted() where key != distinct.last { distinct.append(key) }
    self.keys = distinct
  }

  func contains(_ key: PathKey) -> Bool {
    var (start, end) = (0, keys.count)
    while start < end {
      let middle = (start + end) / 2
      if keys[middle] < key { start = middle + 1 } else { end = middle }
    }
    return start < keys.count && keys[start] == key
  }
}
