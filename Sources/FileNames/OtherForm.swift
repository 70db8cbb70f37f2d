/// A name that looks like one that belongs to a store, and is another: the same text in another Unicode normal form.
///
/// A -wal of such a name isn't seen by SQLite, and its commits would be lost without a word.
package struct OtherForm: Sendable, Hashable {
  package var store: FileName
  package var found: FileName
  /// The name that the store's file would have.
  package var expected: FileName
  /// Whether there is a file of that name, too.
  package var isTaken: Bool

  /// One sentence.
  package var sentence: String {
    "“\(found.escaped)” lies beside the store “\(store.escaped)”: its name is the same text as "
      + "“\(expected.escaped)” in another Unicode normal form, so that it isn't taken for the store's, and what it "
      + "holds would be missing" + (isTaken ? "; a file of the right name is there as well." : ".")
  }

  /// The command that gives the file the store's form, or sets it aside where there is such a file already.
  ///
  /// - Parameter aside: The folder to put it in then, the store's own unless told.
  package func command(in folder: String, aside: String? = nil) -> String {
    func place(_ folder: String, _ name: FileName) -> [UInt8] {
      Array((folder.utf8.last == 0x2F ? folder : folder + "/").utf8) + name.bytes
    }
    let target =
      isTaken ? place(aside ?? folder, FileName(bytes: [0x2E] + found.bytes)) : place(folder, expected)
    return "mv -n \(ShellQuoting.quote(escaping: place(folder, found))) \(ShellQuoting.quote(escaping: target))"
  }
}
