/// SQL for one value, with the kind of the value.
package struct SQLValue: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a value; the storage class isn't enough, because dates and doubles are both REAL.
  package enum Kind: Sendable, Hashable {
    /// Always nil.
    case null
    /// 0 or 1.
    case boolean
    case integer
    case double
    /// An INTEGER for a whole number, or a REAL for a double.
    case number
    /// A decimal as a store has it: an INTEGER, or a REAL whose shortest text gives the decimal.
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
    /// The kind may differ from row to row, and the value includes it (`TaggedValue`).
    case any
  }

  package let text: String
  package let kind: Kind
  /// Whether the value may be an object although its kind isn't `object`.
  let mayHoldObjects: Bool
  /// The same value as a chain of native calls, or as the start of one.
  let chain: NativeChain?

  package init(_ text: String, _ kind: Kind) { self.init(text, kind, mayHoldObjects: false) }

  init(_ text: String, _ kind: Kind, mayHoldObjects: Bool = false, chain: NativeChain? = nil) {
    self.text = text
    self.kind = kind
    self.mayHoldObjects = mayHoldObjects
    self.chain = chain
  }

  var asChain: NativeChain { chain ?? .value(text) }

  package var description: String { text }

  /// Whether SQLite's arithmetic and comparisons give the same results as those of the predicate language.
  var isNumeric: Bool {
    switch kind {
    case .boolean, .integer, .double, .number: true
    default: false
    }
  }

  var isObject: Bool { if case .object = kind { true } else { false } }

  static let null = SQLValue("NULL", .null)
}
