import CoreData

/// The app's own migration manager, with state that its policies use.
///
/// It stands for: a subclass with state of its own, `manager as? SubclassedManager` in a policy, and the observation
/// of a property that the subclass inherits.
public final class SubclassedManager: NSMigrationManager {
  public var skipped = 0
  public var report: ((Float) -> Void)?
  private var token: NSKeyValueObservation?

  public func start() {
    token = observe(\.migrationProgress, options: .new) { manager, change in
      manager.report?(change.newValue ?? 0)
    }
  }
}

final class SkippingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.value(forKey: "telefono") != nil else {
      (manager as? SubclassedManager)?.skipped += 1
      return
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}
