internal import CSQLite
internal import DecantSQLite

/// Whether SQLite's parser takes a text: it has its limits on nesting and on size.
enum SQLNesting {
  private static let harmlessDepth = 10
  private static let harmlessLength = 100_000

  static func check(_ text: String) throws(NotSQL) {
    guard text.utf8.count > harmlessLength || nesting(of: text) > harmlessDepth else { return }
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

  /// At least as many levels as the text has: of parentheses, and all that `CASE` could make.
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
