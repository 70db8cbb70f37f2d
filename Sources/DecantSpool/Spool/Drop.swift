internal import DecantMigration
package import DecantReport
package import FileNames

/// A store in `incoming/` with all its files.
package struct Drop: Sendable, Hashable {
  package enum Form: String, Sendable, Codable {
    case loose
    case folder
  }

  /// A problem with a drop that is found before a worker opens the store.
  package enum Defect: Sendable, Hashable {
    /// The folder holds no store, only these other files.
    case noStore(besides: [FileName])
    case severalStores([FileName])
    case unexpected([FileName])
    /// Files whose names look like those of the store's files, in another normal form.
    case otherForms([OtherForm])
    case reservedName(FileName)
    /// A store's name of more than `StoreNames.longestName` bytes.
    case longName(FileName)
  }

  /// The name in `incoming/`: the store's or the folder's.
  package var name: FileName
  package var form: Form
  /// The names in `incoming/` that are taken, in this order; the store comes last.
  package var members: [FileName]
  /// The store file's name; `nil` if a folder holds none or several.
  package var store: FileName?
  /// The request file's name; `nil` if there is none.
  package var request: FileName?
  package var defect: Defect?
  /// Whether a file's write time is in the future.
  package var isFromTheFuture = false

  package init(
    name: FileName, form: Form, members: [FileName], store: FileName? = nil, request: FileName? = nil,
    defect: Defect? = nil, isFromTheFuture: Bool = false
  ) {
    self.name = name
    self.form = form
    self.members = members
    self.store = store
    self.request = request
    self.defect = defect
    self.isFromTheFuture = isFromTheFuture
  }

  package static func failure(for defect: Defect, drop: FileName) -> MigrationFailure {
    func list(_ names: [FileName]) -> String { FileName.list(names) }
    switch defect {
    case .noStore(let others):
      return MigrationFailure(
        .noStore,
        message: "The folder “\(drop)” holds no store\(others.isEmpty ? "" : ", only \(list(others))").",
        advice: "Drop a folder that holds the store file, its -wal and -shm and its external data.")
    case .severalStores(let names):
      return MigrationFailure(
        .severalStores, message: "The folder “\(drop)” holds \(names.count) stores: \(list(names)).",
        advice: "Drop each store in a separate folder.")
    case .unexpected(let names):
      return MigrationFailure(
        .unexpectedFiles,
        message: "The folder “\(drop)” holds files that don't belong to its store: \(list(names)).",
        advice: "Drop the store with its -wal, -shm and external data, and nothing else.")
    case .otherForms(let forms):
      return MigrationFailure(
        .otherNormalForm,
        message: "The folder “\(drop)” would lose files that belong to its store. "
          + forms.prefix(5).map(\.sentence).joined(separator: " "),
        advice: "In “original”, correct the names with: "
          + forms.prefix(5).map { $0.command(in: ".") }.joined(separator: "; ")
          + ". Then drop the folder again.")
    case .reservedName(let name):
      return MigrationFailure(
        .reservedName,
        message: "A store can't have the name “\(name)”: a delivered folder has a file of that name.",
        advice: "Rename the store and drop it again.")
    case .longName(let name):
      return MigrationFailure(
        .unexpectedFiles,
        message: "The store's name “\(name)” has more than \(StoreNames.longestName) bytes.",
        advice: "In “original”, give the store and its files a shorter name. Then drop the folder again.")
    }
  }
}
