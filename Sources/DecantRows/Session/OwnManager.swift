package import DecantPolicies

/// The program's own manager, passed to the step's queue.
///
/// `@unchecked Sendable`: the program waits while the step runs, and only the step's queue uses the manager then.
package final class OwnManager: @unchecked Sendable {
  package let manager: MigrationManager
  /// The mapping models of the step's passes, which policies see.
  ///
  /// The program keeps no reference to them.
  package let passes: [MigrationMappingModel]

  package init(_ manager: MigrationManager, passes: [MigrationMappingModel]) {
    self.manager = manager
    self.passes = passes
  }
}
