import DecantStore
import Foundation

/// Statements of a schema, compared without the order of a table's columns.
///
/// A step in place keeps the order of the source's columns.
enum SchemaForms {
  /// The statement, with its columns sorted if it creates a table.
  static func sorted(_ statement: String) -> String {
    guard statement.hasPrefix("CREATE TABLE "), let open = statement.firstIndex(of: "(") else {
      return statement
    }
    let end = statement.range(of: ", PRIMARY KEY (")?.lowerBound ?? statement.endIndex
    let columns = statement[statement.index(after: open)..<end].split(separator: ",").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " )"))
    }
    return statement[...open] + columns.sorted().joined(separator: ", ") + statement[end...]
  }

  static func sorted(_ statements: some Sequence<String>) -> Set<String> { Set(statements.map { sorted($0) }) }
}
