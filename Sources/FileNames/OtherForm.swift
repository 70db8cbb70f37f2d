/// A file whose name looks like the name of a store's file, but has another Unicode normal form.
///
/// SQLite doesn't find a -wal with such a name, and the commits in it would be lost without an error.
package struct OtherForm: Sendable, Hashable {
  package var store: FileName
  package var found: FileName
  /// The name that the store's file would have.
  package var expected: FileName
  /// Whether a file with the expected name exists, too.
  package var isTaken: Bool

  /// The problem in one sentence, for messages.
  package var sentence: String {
    "“\(found.escaped)” lies beside the store “\(store.escaped)”: its name is the same text as "
      + "“\(expected.escaped)” in another Unicode normal form, so it isn't recognised as the store's file, and "
      + "its content would be missing" + (isTaken ? "; a file with the right name exists, too." : ".")
  }

  /// The command that renames the file to the store's form.
  ///
  /// If a file with the expected name exists, the command moves the found file aside.
  ///
  /// - Parameter aside: The folder for a file that is moved aside; by default the store's folder.
  package func command(in folder: String, aside: String? = nil) -> String {
    func place(_ folder: String, _ name: FileName) -> [UInt8] {
      Array((folder.utf8.last == 0x2F ? folder : folder + "/").utf8) + name.bytes
    }
    let target =
      isTaken ? place(aside ?? folder, FileName(bytes: [0x2E] + found.bytes)) : place(folder, expected)
    return "mv -n \(ShellQuoting.quote(escaping: place(folder, found))) \(ShellQuoting.quote(escaping: target))"
  }
}
