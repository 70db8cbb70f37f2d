/// A name in a folder; names need not be text on Linux.
package struct FileName: Sendable, Hashable {
  package let bytes: [UInt8]
  /// The name as text, with replacement characters where it isn't any.
  package let text: String
  /// False where `text` isn't the name.
  package var isText: Bool { Array(text.utf8) == bytes }

  package init(bytes: [UInt8]) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }
}
