/// SQL for one value, with what kind of value it is.
package struct SQLValue: Sendable, Hashable, CustomStringConvertible {
  /// What a value is, which its storage class alone doesn't say: a date is a REAL as a double is.
  package enum Kind: Sendable, Hashable {
    /// Always nil.
    case null
    /// 0 or 1.
    case boolean
    case integer
    case double
    /// An INTEGER that is a whole number, or a REAL that is a double.
    case number
    /// As a store holds decimals: a number whose shortest digits count.
    case decimal
    case string
    case url
    /// A REAL, in seconds since 2001-01-01 00:00:00 UTC.
    case date
    /// A BLOB of 16 bytes.
    case uuid
    case data
    /// The bytes of a transformable attribute.
    case transformable
    /// The primary key of an object of that entity.
    case object(String)
    /// Known with each row only: see `TaggedValue`.
    case any
  }

  package let text: String
  package let kind: Kind
  /// Whether it may give an object although its kind doesn't say so.
  let mayHoldObjects: Bool
  /// The same as a chain of native calls, or as a value that may begin one.
  let chain: NativeChain?

  package init(_ text: String, _ kind: Kind) { self.init(text, kind, mayHoldObjects: false) }

  init(_ text: String, _ kind: Kind, mayHoldObjects: Bool = false, chain: NativeChain? = nil) {
    self.text = text
    self.kind = kind
    self.mayHoldObjects = mayHoldObjects
    self.chain = chain
  }

  /// What a chain begins with.
  var asChain: NativeChain { chain ?? .value(text) }

  package var description: String { text }

  /// Whether SQLite's own arithmetic and comparing are the language's.
  var isNumeric: Bool {
    switch kind {
    case .boolean, .integer, .double, .number: true
    default: false
    }
  }

  var isObject: Bool { if case .object = kind { true } else { false } }

  static let null = SQLValue("NULL", .null)
}
