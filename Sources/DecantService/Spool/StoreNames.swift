/// Which names belong together around a store file (core-data-sqlite.md, external data; DESIGN, the spool).
package enum StoreNames {
  static let siblingSuffixes = ["-wal", "-shm", "-journal"]
  package static let requestSuffix = ".request.json5"
  /// Names that a delivered folder needs for itself.
  package static let reserved: Set<String> = ["report.json", "report.txt", "reason.json", "original"]
  /// The longest name in bytes that leaves room for what is added to it.
  package static let longestName = 200

  /// True for the name of a file that would be a store.
  package static func isStore(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasSuffix(requestSuffix) && sibling(name) == nil
  }

  /// The store's name where the name is that of a sibling file.
  package static func sibling(_ name: String) -> String? {
    guard !name.hasPrefix(".") else { return nil }
    for suffix in siblingSuffixes where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
      return String(name.dropLast(suffix.count))
    }
    return nil
  }

  /// The name without its extension, as Core Data takes it for the folder of external data.
  package static func stem(_ store: String) -> String {
    guard let dot = store.lastIndex(of: "."), dot != store.startIndex else { return store }
    return String(store[..<dot])
  }

  package static func support(_ store: String) -> String { ".\(stem(store))_SUPPORT" }

  /// The names that a request for the store may have.
  package static func requests(_ store: String) -> [String] {
    let stem = stem(store)
    return [store + requestSuffix] + (stem == store ? [] : [stem + requestSuffix])
  }
}
