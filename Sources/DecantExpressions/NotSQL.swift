/// Why an expression can't be SQL.
package struct NotSQL: Error, CustomStringConvertible, Hashable {
  /// The obstacle, as a sentence without a full stop.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}
