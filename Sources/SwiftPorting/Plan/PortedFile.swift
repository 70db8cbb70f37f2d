/// A file of the app as the worker gets it.
package struct PortedFile: Sendable {
  /// The path within the app's folder.
  package let path: String
  package let bytes: [UInt8]
  package let changes: [PortNote]
  /// What won't compile, or has to be looked at.
  package let left: [PortNote]
}
