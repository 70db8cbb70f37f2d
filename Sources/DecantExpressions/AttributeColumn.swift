package import DecantModel
package import DecantSQLite
package import DecantStore
internal import Foundation
package import PredicateFormat

/// A stored attribute: reads its column, in SQL and from a row (docs/formats/core-data-sqlite.md 7.1).
package final class AttributeColumn: Sendable {
  package let attribute: Attribute
  /// “Entity.attribute”, for messages.
  let label: String
  package let column: String
  let kind: SQLValue.Kind

  /// A value in a column that the attribute's type can't have; the store is damaged or was written by another program.
  struct Misfit: Error, CustomStringConvertible {
    let label: String
    let type: String
    let found: String

    var description: String { "“\(label)” is of type \(type), but a row holds \(found) there" }
  }

  package init?(_ attribute: Attribute, of entity: String, in layout: StoreLayout) {
    guard let column = layout.attributeColumn(attribute.name, of: entity), let kind = Self.kind(of: attribute)
    else {
      return nil
    }
    self.kind = kind
    self.attribute = attribute
    self.column = column
    label = "\(entity).\(attribute.name)"
  }

  static func kind(of attribute: Attribute) -> SQLValue.Kind? {
    switch attribute.type.content {
    case .integer: .integer
    case .boolean: .boolean
    case .real: .double
    case .decimal: .decimal
    case .date: .date
    case .string: .string
    case .url: .url
    case .uuid: .uuid
    case .data(let isTransformed): isTransformed ? .transformable : .data
    case nil: nil
    }
  }

  /// Whether values may be large, and are read separately.
  package var isLarge: Bool { kind == .data || kind == .transformable }

  /// SQL for the column's value; a value of another type ends the statement with an error.
  ///
  /// The `CASE` also removes the column's collation and affinity.
  func sql(alias: String) -> String {
    let value = "\(alias).\(quoted(column))"
    let cases =
      switch kind {
      case .integer: "WHEN 'integer' THEN \(value)"
      case .boolean: "WHEN 'integer' THEN \(value) <> 0"
      // A date without a fraction of a second is stored as an integer, because TIMESTAMP has numeric affinity.
      case .double, .date: "WHEN 'real' THEN \(value) WHEN 'integer' THEN CAST(\(value) AS REAL)"
      case .decimal: "WHEN 'real' THEN \(value) WHEN 'integer' THEN \(value) WHEN 'text' THEN \(value)"
      case .string, .url: "WHEN 'text' THEN \(value)"
      case .uuid: "WHEN 'blob' THEN CASE WHEN length(\(value)) = 16 THEN \(value) ELSE \(misfit(value)) END"
      default:
        attribute.allowsExternalBinaryDataStorage
          ? "WHEN 'blob' THEN \(ExternalDataFunction.inline)(\(value))" : "WHEN 'blob' THEN \(value)"
      }
    return "CASE typeof(\(value)) \(cases) WHEN 'null' THEN NULL ELSE \(misfit(value)) END"
  }

  /// The column as the start of a `NativeChain`; `nil` for a kind of value that chains don't support.
  func chain(alias: String) -> NativeChain? {
    let columnKind: NativeChain.ColumnKind? =
      switch kind {
      case .string: .string
      case .integer: .integer
      case .double, .date: .double
      default: nil
      }
    return columnKind.map {
      .column(sql: "\(alias).\(quoted(column))", kind: $0, label: label, type: attribute.type.name)
    }
  }

  private func misfit(_ value: String) -> String {
    "\(ExpressionFunctions.misfit)(\(SQLText.string(label)), '\(attribute.type.name)', \(value))"
  }

  /// The expression to select for `value(_:)`: the column itself.
  ///
  /// If the attribute allows external files, the expression gives the bytes without their marker, or those of the file.
  package var selected: String {
    let value = quoted(column)
    guard isLarge, attribute.allowsExternalBinaryDataStorage else { return value }
    return "CASE typeof(\(value)) WHEN 'blob' THEN \(ExternalDataFunction.inline)(\(value)) ELSE \(value) END"
  }

  package func value(_ row: Int, _ column: Int, of batch: RowBatch) throws -> Value {
    let cell = batch.cell(at: row, column)
    switch (kind, cell.kind) {
    case (_, .null): return .null
    case (.integer, .integer): return .integer(cell.bits)
    case (.date, .real): return .date(cell.real)
    case (.double, .real): return .double(cell.real)
    case (.string, .text): return .string(batch.text(of: cell))
    default: return try value(batch.value(row, column))
    }
  }

  /// The value of a column.
  ///
  /// - Throws: `Misfit`, or an error of `DecimalColumn`, if the stored value doesn't fit the attribute's type.
  package func value(_ stored: SQLiteValue) throws -> Value {
    switch (kind, stored) {
    case (_, .null): return .null
    case (.integer, .integer(let number)): return .integer(number)
    case (.boolean, .integer(let number)): return .boolean(number != 0)
    case (.double, .real(let number)): return .double(number)
    case (.double, .integer(let number)): return .double(Double(number))
    case (.date, .real(let number)): return .date(number)
    case (.date, .integer(let number)): return .date(Double(number))
    case (.decimal, .integer), (.decimal, .real), (.decimal, .text):
      return try DecimalColumn.decimal(stored).map(Value.decimal) ?? .null
    case (.string, .text(let text)): return .string(text)
    case (.url, .text(let text)): return .url(text)
    case (.uuid, .blob(let data)) where data.count == 16: return .uuid(try UUIDColumn.uuid(data))
    case (.data, .blob(let data)), (.transformable, .blob(let data)): return .data(data)
    default: throw Misfit(label: label, type: attribute.type.name, found: stored.kind)
    }
  }
}

extension SQLiteValue {
  var kind: String {
    switch self {
    case .null: "nothing"
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "text"
    case .blob(let data): counted(data.count, "byte")
    }
  }
}
