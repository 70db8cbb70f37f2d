internal import DecantModel
internal import FileNames

/// Checks the names of the files beside a store before the store is opened.
///
/// SQLite doesn't see a -wal whose name has another Unicode normal form than the store's name. The commits in that file
/// would be lost.
package enum StoreForms {
  /// Compares the names in the store's folder with the expected names of the store's files.
  ///
  /// If the store's name has only one normal form, the folder isn't read.
  ///
  /// - Throws: `StoreError.otherForm` for a sibling or a folder of external data in another form.
  package static func check(_ path: String) throws(StoreError) {
    let store = PathText.name(of: path)
    guard store.mayHaveOtherForms || StoreNames.stem(store).mayHaveOtherForms else { return }
    let folder = PathText.folder(of: path)
    // A folder without read permission is skipped. `DiskRead` notes a disk error, which ends the job later.
    guard let names = DiskRead.names(in: folder) else { return }
    let forms = LookAlikes(names.map { FileName($0) }).otherForms(ofFilesOf: store)
    guard !forms.isEmpty else { return }
    throw .otherForm(
      path: path, sentence: forms.prefix(5).map(\.sentence).joined(separator: " "),
      command: forms.prefix(5).map { $0.command(in: folder) }.joined(separator: " && "))
  }
}
