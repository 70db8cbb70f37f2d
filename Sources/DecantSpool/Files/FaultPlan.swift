internal import Synchronization

/// Makes a chosen change to the file system fail, so that tests can interrupt the daemon between two changes.
///
/// Only tests set a plan. Without a plan, no change is counted.
package final class FaultPlan: Sendable {
  /// How the plan continues after its first failure.
  package enum Course: Sendable {
    /// Every later change fails too, as after a crash.
    case persistent
    /// Later changes succeed.
    case once
    /// The next change fails too.
    case twice
  }

  @TaskLocal package static var current: FaultPlan?

  private let failAt: Int
  private let course: Course
  private let code: Int32
  /// The only operation that fails; `nil` for all.
  private let operation: String?
  private let passed = Atomic<Int>(0)
  private let changes = Mutex<[String]>([])

  /// The counted changes so far, also those that failed: for each the operation and the path.
  package var journal: [String] { changes.withLock { $0 } }

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - failAt: The number of the first change that fails, from 1, among the counted changes.
  ///   - code: The errno of the failure.
  ///   - operation: The only operation that is counted and fails, such as `fsync`; `nil` for all.
  package init(failAt: Int, _ course: Course, code: Int32, of operation: String? = nil) {
    self.operation = operation
    self.failAt = failAt
    self.course = course
    self.code = code
  }

  /// Whether the plan's failure has happened.
  package var hasFailed: Bool { passed.load(ordering: .relaxed) >= failAt }

  /// Counts a change before it is made, and throws if the plan fails this change.
  static func pass(_ operation: String, _ path: @autoclosure () -> String) throws(FileFailure) {
    guard let plan = current, plan.operation.map({ $0 == operation }) ?? true else { return }
    let number = plan.passed.add(1, ordering: .relaxed).newValue
    plan.changes.withLock { $0.append("\(operation) \(path())") }
    let last =
      switch plan.course {
      case .persistent: Int.max
      case .once: plan.failAt
      case .twice: plan.failAt + 1
      }
    if number >= plan.failAt, number <= last { throw FileFailure(operation, path(), plan.code) }
  }
}
