// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

extension MigrationManager {
  @available(*, unavailable, message: "every migration runs in Decant's own way; take it out")
  public var usesStoreSpecificMigrationManager: Bool {
    get { false }
    set {}
  }
}
