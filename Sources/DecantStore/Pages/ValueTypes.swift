/// The types of values that SQLite expects in a column, by the column's affinity.
enum ValueTypes: UInt8 {
  case any, noNumbers, noTexts

  /// - Parameter declared: The column's type as in the statement of its table (SQLite's data types, 3.1).
  init(declared: String) {
    let name = declared.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
    if has("INT") {
      self = .noTexts
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .noNumbers
    } else {
      self = name.isEmpty || has("BLOB") ? .any : .noTexts
    }
  }
}
