/// Why a file can't be read as XML.
package struct XMLFault: Error, Hashable, Sendable {
  /// Line of the file, from 1.
  package let line: Int
  /// What is wrong there, without a full stop.
  package let reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}
