/// A Swift file of an app.
package struct AppSource: Sendable {
  /// The path within the app's folder.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
