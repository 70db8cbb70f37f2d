package import DecantStore

extension StoreError {
  /// The case's name, for tests that don't check the message.
  package var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
