/// The names of the files of a store (docs/formats/core-data-sqlite.md 7.2, 10; docs/spool-states.md).
package enum StoreNames {
  package static let siblingSuffixes = ["-wal", "-shm", "-journal"]
  package static let requestSuffix = ".request.json5"
  /// Names that the daemon uses in a folder in `done/` or `failed/`: its own files, and the folder of the original.
  package static let reserved: Set<FileName> = [
    "report.json", "report.txt", "report.html", "reason.json", "original",
  ]
  /// The longest name in bytes that leaves space for suffixes.
  package static let longestName = 200

  /// Whether a file of this name would be a store.
  package static func isStore(_ name: FileName) -> Bool {
    !name.hasPrefix(".") && !name.hasSuffix(requestSuffix) && sibling(name) == nil
  }

  /// The name of the store to which a `-wal`, `-shm` or `-journal` file belongs; `nil` for any other name.
  package static func sibling(_ name: FileName) -> FileName? {
    guard !name.hasPrefix(".") else { return nil }
    return siblingSuffixes.lazy.compactMap { name.dropping($0) }.first
  }

  /// The names of the files that SQLite keeps beside a store.
  package static func siblings(_ store: FileName) -> [FileName] { siblingSuffixes.map { store + $0 } }

  /// The name without its extension.
  ///
  /// Core Data uses this name for the folder of external data. By Foundation's rule, a point at the start or at the end
  /// doesn't begin an extension.
  package static func stem(_ store: FileName) -> FileName {
    guard let dot = store.bytes.lastIndex(of: 0x2E), dot > 0, dot < store.bytes.count - 1 else { return store }
    return FileName(bytes: Array(store.bytes[..<dot]))
  }

  /// The folder of external data.
  package static func support(_ store: FileName) -> FileName {
    FileName(bytes: [0x2E] + stem(store).bytes) + "_SUPPORT"
  }

  /// The possible names of a request for the store.
  package static func requests(_ store: FileName) -> [FileName] {
    let stem = stem(store)
    return [store + requestSuffix] + (stem == store ? [] : [stem + requestSuffix])
  }
}
