internal import CSQLite

/// Whether SQLite's parser takes a text: it has its limits on nesting and on size.
enum SQLNesting {
  private static let harmlessDepth = 8
  private static let harmlessLength = 100_000

  static func check(_ text: String) throws(NotSQL) {
    guard text.utf8.count > harmlessLength || depth(of: text) > harmlessDepth else { return }
    guard let database = try? SQLiteDatabase("nesting", mode: .memory) else { return }
    do throws(SQLiteError) {
      // With room for the statement around it.
      _ = try database.prepare("SELECT ((((((((((((\(text)))))))))))))")
    } catch {
      // Names can't be found there, which is known only after the whole text was parsed.
      if error.message.hasPrefix("no such ") { return }
      throw NotSQL("it is nested too deep or too long for SQLite (“\(error.message)”)")
    }
  }

  private static func depth(of text: String) -> Int {
    var depth = 0
    var deepest = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
