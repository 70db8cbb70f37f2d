package import DecantMigration

/// A store, with all that belongs to it, as it lies in `incoming/`.
package struct Drop: Sendable, Hashable {
  /// How it came.
  package enum Form: String, Sendable, Codable {
    case loose
    case folder
  }

  /// What is wrong with a drop before any worker has seen it.
  package enum Defect: Sendable, Hashable {
    /// With what else is there.
    case noStore(besides: [String])
    case severalStores([String])
    case unexpected([String])
    case reservedName(String)
  }

  /// The name in `incoming/`: the store's or the folder's.
  package var name: String
  package var form: Form
  /// The names in `incoming/` that are taken, in this order: the store last.
  package var members: [String]
  /// The store file's name; `nil` where a folder holds none or several.
  package var store: String?
  /// The request's name.
  package var request: String?
  package var defect: Defect?
  /// A file was last written at a time that is still to come.
  package var isFromTheFuture = false

  /// The failure that a defect amounts to.
  package static func failure(for defect: Defect, drop: String) -> MigrationFailure {
    func list(_ names: [String]) -> String {
      names.sorted().prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    }
    switch defect {
    case .noStore(let others):
      return MigrationFailure(
        disposition: .refuse, reason: "no-store",
        message: "The folder “\(drop)” holds no store\(others.isEmpty ? "" : ", only \(list(others))").",
        advice: "Drop a folder that holds the store file, its -wal and -shm and its external data.")
    case .severalStores(let names):
      return MigrationFailure(
        disposition: .refuse, reason: "several-stores",
        message: "The folder “\(drop)” holds \(names.count) stores: \(list(names)).",
        advice: "Drop each store in a folder of its own.")
    case .unexpected(let names):
      return MigrationFailure(
        disposition: .refuse, reason: "unexpected-files",
        message: "The folder “\(drop)” holds what doesn't belong to its store: \(list(names)).",
        advice: "Drop the store with its -wal, -shm and external data, and nothing else.")
    case .reservedName(let name):
      return MigrationFailure(
        disposition: .refuse, reason: "reserved-name",
        message: "A store can't be called “\(name)”: a delivered folder has a file of that name.",
        advice: "Rename the store and drop it again.")
    }
  }
}
