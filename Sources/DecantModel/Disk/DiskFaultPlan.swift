internal import Synchronization

/// Makes a chosen read fail as a failing disk would, for tests.
///
/// Opening a file counts as a read. Without a plan nothing is counted.
package final class DiskFaultPlan: Sendable {
  private static let armed = Mutex<[DiskFaultPlan]>([])
  private static let isAnyArmed = Atomic(false)

  private let place: String
  private let failAt: Int
  private let isPersistent: Bool
  private let code: Int32
  private let passed = Atomic(0)

  /// - Parameters:
  ///   - place: Only reads of files whose path has this prefix are counted.
  ///   - failAt: The number of the read that fails, from 1.
  ///   - isPersistent: Whether all later reads fail, too.
  ///   - code: The errno.
  package init(at place: String, failAt: Int, isPersistent: Bool, code: Int32) {
    self.place = place
    self.failAt = failAt
    self.isPersistent = isPersistent
    self.code = code
  }

  /// Whether the failure has happened.
  package var hasFailed: Bool { passed.load(ordering: .relaxed) >= failAt }

  /// Runs a closure with the plan.
  package func arming<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    Self.armed.withLock {
      $0.append(self)
      Self.isAnyArmed.store(true, ordering: .releasing)
    }
    defer {
      Self.armed.withLock { plans in
        plans.removeAll { $0 === self }
        Self.isAnyArmed.store(!plans.isEmpty, ordering: .releasing)
      }
    }
    return try body()
  }

  /// Counts a read of a file.
  ///
  /// - Returns: The errno with which a plan makes this read fail; 0 if no plan does.
  package static func pass(_ path: @autoclosure () -> String) -> Int32 {
    guard isAnyArmed.load(ordering: .acquiring) else { return 0 }
    let path = path()
    return armed.withLock { plans in
      var code: Int32 = 0
      for plan in plans where path.utf8.starts(with: plan.place.utf8) {
        let number = plan.passed.add(1, ordering: .relaxed).newValue
        if number == plan.failAt || plan.isPersistent && number > plan.failAt { code = plan.code }
      }
      return code
    }
  }
}
