internal import DecantModel
internal import DecantSQLite

/// The statements of a store's indexes, for fetch indexes whose statements the rules don't give
/// (docs/formats/core-data-sqlite.md 5.7).
///
/// How a predicate becomes a `WHERE` clause isn't known, so the clause is copied. The store may be of unknown origin.
/// So the statement must follow the rules except for its condition. The condition may only compare columns of the table
/// with constants: no function, no subquery, no pattern. A wrong condition is harmless: SQLite uses an index only for
/// rows that the index covers.
struct FetchIndexEvidence {
  /// Statements of indexes by name.
  let statements: [String: String]

  /// The statement of a partial index, from the evidence; `nil` if the evidence has none that is safe.
  ///
  /// - Parameters:
  ///   - whole: The statement of the same index without its condition.
  ///   - name: The index's name in the store.
  ///   - tableStatement: Creates an empty table, on which the index is tried.
  func partial(_ whole: String, name: String, table: StoreLayout.Table, tableStatement: String) -> String? {
    let start = whole + " WHERE "
    guard let text = statements[name], text.hasPrefix(start) else { return nil }
    let names = Set(table.columns.map { $0.name.uppercased() })
    guard Self.isPlain(text.dropFirst(start.count), columns: names),
      let database = try? SQLiteDatabase("an index", mode: .memory),
      (try? database.execute(tableStatement)) != nil, (try? database.execute(text)) != nil,
      (try? database.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql = ?", [.text(text)]))
        == 1
    else { return nil }
    return text
  }

  private static let words: Set = [
    "AND", "OR", "NOT", "IS", "NULL", "ISNULL", "NOTNULL", "IN", "BETWEEN", "COLLATE", "BINARY",
  ]
  /// The largest accepted length of a condition, in bytes; no person writes a longer one.
  private static let maximumBytes = 4000

  /// Whether a condition has only columns, constants and comparisons; a word before a bracket must be a keyword.
  static func isPlain(_ condition: Substring, columns: Set<String>) -> Bool {
    guard !condition.isEmpty, condition.utf8.count <= maximumBytes else { return false }
    var rest = condition.unicodeScalars[...]
    while let first = rest.first {
      switch first {
      case "'":
        guard let end = endOfText(rest) else { return false }
        rest = rest[end...]
      case _ where isWord(first):
        let word = rest.prefix(while: isWord)
        rest = rest.dropFirst(word.count)
        let text = String(String.UnicodeScalarView(word)).uppercased()
        let isNumber = word.allSatisfy { "0123456789.".unicodeScalars.contains($0) }
        guard isNumber || words.contains(text) || columns.contains(text) else { return false }
        if rest.drop(while: { $0 == " " }).first == "(" {
          guard words.contains(text), !["NULL", "ISNULL", "NOTNULL", "BINARY"].contains(text) else {
            return false
          }
        }
      case "-":
        // Two dashes would begin a comment.
        guard rest.dropFirst().first != "-" else { return false }
        rest = rest.dropFirst()
      case _ where " (),=<>!".unicodeScalars.contains(first): rest = rest.dropFirst()
      default: return false
      }
    }
    return true
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "." || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// The place after a text in single quotes; `nil` if the text doesn't end, or has a zero character.
  ///
  /// Quotes inside the text are doubled.
  private static func endOfText(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
      guard text[index] == "'" else {
        guard text[index].value != 0 else { return nil }
        index = text.index(after: index)
        continue
      }
      let next = text.index(after: index)
      guard next < text.endIndex, text[next] == "'" else { return next }
      index = text.index(after: next)
    }
    return nil
  }
}
