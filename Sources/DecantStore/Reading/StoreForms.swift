internal import DecantModel
internal import FileNames

/// A look at the names beside a store before it is opened: SQLite doesn't see a -wal whose name has another Unicode normal
/// form, and the commits in it would be lost without a word.
package enum StoreForms {
  /// Looks beside a store; where its name has one form only, not even the folder is read.
  ///
  /// - Throws: `StoreError.otherForm` for a sibling or a folder of external data in another form.
  package static func check(_ path: String) throws(StoreError) {
    let store = PathText.name(of: path)
    guard store.mayHaveOtherForms || StoreNames.stem(store).mayHaveOtherForms else { return }
    let folder = PathText.folder(of: path)
    // Where permissions hide the names, nothing can be said. An error of the disk is noted and ends the job later.
    guard let names = DiskRead.names(in: folder) else { return }
    let forms = LookAlikes(names.map { FileName($0) }).otherForms(ofFilesOf: store)
    guard !forms.isEmpty else { return }
    throw .otherForm(
      path: path, sentence: forms.prefix(5).map(\.sentence).joined(separator: " "),
      command: forms.prefix(5).map { $0.command(in: folder) }.joined(separator: " && "))
  }
}
