/// A note about a line of a file.
package struct PortNote: Sendable, Hashable {
  /// The number of the line in the original file, counted from 1.
  package let line: Int
  package let text: String
}
