/// Lines of a ledger that Decant can't have written.
extension RecordReader {
  /// Skips a line that is longer than any line of Decant.
  ///
  /// - Returns: False if the file ends before the line does.
  mutating func skipLong(_ fault: Fault, of path: String) throws(ShardError) -> Bool {
    do throws(Fault) {
      if case .system = fault { throw fault }
      return try skip()
    } catch {
      guard case .system(let code) = error else { return false }
      throw .file(path: path, action: "read", code: code)
    }
  }
}

extension RecordReader.Fault {
  var isOfDisk: Bool { if case .system = self { true } else { false } }
}
