package import DecantStore

extension StoreError {
  /// The case's name, for tests that leave the words to others.
  package var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
