internal import CSQLite
internal import DecantSQLite

/// Checks that SQLite's parser, which limits nesting and size, accepts a text.
enum SQLNesting {
  private static let harmlessDepth = 10
  private static let harmlessLength = 100_000

  static func check(_ text: String) throws(NotSQL) {
    guard text.utf8.count > harmlessLength || nesting(of: text) > harmlessDepth else { return }
    guard let database = try? SQLiteDatabase("nesting", mode: .memory) else { return }
    do throws(SQLiteError) {
      // The parentheses are a margin for the surrounding statement.
      _ = try database.prepare("SELECT ((((((((((((\(text)))))))))))))")
    } catch {
      // Unknown names are expected here; the error comes only after the whole text was parsed.
      if error.message.hasPrefix("no such ") { return }
      throw NotSQL("it is nested too deep or too long for SQLite (“\(error.message)”)")
    }
  }

  /// An upper bound of the text's nesting: parentheses, and all `CASE`s.
  private static func nesting(of text: String) -> Int {
    var depth = 0
    var deepest = 0
    var cases = 0
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "A") where previous == UInt8(ascii: "C"): cases += 1
      default: break
      }
      previous = byte
      deepest = max(deepest, depth)
    }
    return deepest + cases
  }
}
