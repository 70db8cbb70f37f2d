package import DecantPolicies

/// The migration manager of a program that runs the migration itself, passed to the step's queue.
///
/// `@unchecked Sendable`: the program waits while the step runs, and only the step's queue uses the manager then.
package final class DirectCall: @unchecked Sendable {
  package let manager: MigrationManager
  /// The mapping models of the step's passes, as policies see them.
  ///
  /// The program keeps no reference to these models, so they are kept here.
  package let passes: [MigrationMappingModel]

  package init(_ manager: MigrationManager, passes: [MigrationMappingModel]) {
    self.manager = manager
    self.passes = passes
  }
}
