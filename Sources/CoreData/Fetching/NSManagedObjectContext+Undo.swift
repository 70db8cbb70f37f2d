public import DecantPolicies

extension ManagedObjectContext {
  /// Always nil: there is no undo manager.
  ///
  /// Migrations often set it to nil to save memory; that compiles, and does nothing.
  public var undoManager: Never? {
    get { nil }
    set {}
  }
}
