/// A sentence about a line of a file.
package struct PortNote: Sendable, Hashable {
  /// The line in the original, from 1.
  package let line: Int
  package let text: String
}
