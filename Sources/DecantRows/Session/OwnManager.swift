package import DecantPolicies

/// The program's own manager, passed to the step's queue.
///
/// `@unchecked Sendable`: the program waits while the step runs, and only the step's queue uses the manager then.
package final class OwnManager: @unchecked Sendable {
  package let manager: MigrationManager

  package init(_ manager: MigrationManager) { self.manager = manager }
}
