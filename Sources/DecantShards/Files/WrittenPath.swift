package import FileNames
internal import Foundation

/// A path in JSON: as text, and its bytes in Base64 if it isn't UTF-8.
package struct WrittenPath: Sendable, Hashable {
  /// The path; for one that isn't UTF-8, its form in messages.
  package let text: String
  /// `nil` for a path that is UTF-8.
  package let bytes: String?

  package init(_ path: FileName) {
    text = path.isText ? path.text : path.description
    bytes = path.isText ? nil : Data(path.bytes).base64EncodedString()
  }

  /// The path from its text and its bytes in Base64; `nil` if `bytes` isn't Base64.
  static func path(_ text: String, bytes: String?) -> FileName? {
    guard let bytes else { return FileName(text) }
    return Data(base64Encoded: bytes).map { FileName(bytes: Array($0)) }
  }
}
