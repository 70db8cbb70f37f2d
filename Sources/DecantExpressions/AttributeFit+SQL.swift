internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

extension AttributeFit {
  /// The code for a value of which only the storage class is known.
  ///
  /// The kind of the value follows from the attribute's type, or else from the storage class (`plain(_:)`).
  static let plainCode = "p"

  /// SQL for the stored form of a value; the statement ends with an error if the value doesn't fit.
  package func stored(_ value: SQLValue) -> String {
    fitting(value) ?? call(LeafCode.code(of: value.kind), value.text)
  }

  /// SQL for the stored form of a value of which only the storage class is known.
  ///
  /// For a Date attribute, a number means seconds. For a URI, a text means a URL. For a UUID, a BLOB of 16
  /// bytes means a UUID. So some mistakes of a mapping aren't detected here. They are detected in a value from
  /// `SourceSQL.typed(_:)`.
  package func stored(_ value: String) -> String { call(Self.plainCode, value) }

  private func call(_ code: String, _ value: String) -> String {
    let names = "\(SQLText.string(entity)), \(SQLText.string(attribute.name))"
    let external = attribute.allowsExternalBinaryDataStorage ? 1 : 0
    return
      "\(ExpressionFunctions.fit)(\(names), \(attribute.type.rawValue), \(external), \(SQLText.string(code)), \(value))"
  }

  /// The value, if it can be stored with at most a simple conversion; `nil` if it needs a check.
  private func fitting(_ value: SQLValue) -> String? {
    switch (attribute.type, value.kind) {
    case (.undefined, _), (.objectID, _), (.composite, _): nil
    case (_, .null), (.string, .string), (.uri, .url), (.date, .date), (.uuid, .uuid), (.boolean, .boolean),
      (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean), (.integer64, .integer),
      (.double, .double), (.decimal, .decimal), (.decimal, .integer), (.decimal, .boolean):
      value.text
    case (.double, .integer), (.double, .boolean), (.double, .number): "CAST(\(value.text) AS REAL)"
    case (.binary, .data), (.transformable, .transformable), (.transformable, .data):
      attribute.allowsExternalBinaryDataStorage
        ? "\(ExternalDataFunction.marked)(\(value.text))" : value.text
    default: nil
    }
  }

  /// The value that a stored form means if only its storage class is known.
  func plain(_ stored: SQLiteValue) throws -> Value {
    switch (attribute.type, stored) {
    case (.date, .real(let seconds)): .date(seconds)
    case (.date, .integer(let seconds)): .date(Double(seconds))
    case (.uri, .text(let text)): .url(text)
    case (.uuid, .blob(let data)) where data.count == 16: .uuid(try UUIDColumn.uuid(data))
    case (_, .blob(let data)): .data(data)
    default: try TaggedValue.value(stored)
    }
  }
}
