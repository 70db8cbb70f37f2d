/// A file of the app as the worker gets it.
package struct PortedFile: Sendable {
  /// The path within the app's folder.
  package let path: String
  package let bytes: [UInt8]
  package let changes: [PortNote]
  /// Notes about code that won't compile, or that a developer has to check.
  package let left: [PortNote]
}
