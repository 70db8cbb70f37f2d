public import DecantPolicies
public import Foundation

/// The queue of a context.
///
/// Here, blocks always run on the caller's thread.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  case confinementConcurrencyType = 0
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

extension ManagedObjectContext {
  /// The queue of a context.
  public enum ConcurrencyType: Sendable {
    case mainQueue
    case privateQueue
  }

  /// When a block of `perform` runs; it always runs at once.
  public enum ScheduledTaskType: Sendable {
    case immediate
    case enqueued
  }

  /// A context without stores.
  public convenience init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.init(ModelDescription(), isDestination: false)
    settings.isOwn = true
    settings.isOfMainQueue = concurrencyType == .mainQueueConcurrencyType
  }

  public convenience init(_ type: ConcurrencyType) {
    self.init(
      concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
  }

  public var concurrencyType: NSManagedObjectContextConcurrencyType {
    settings.isOfMainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
  }

  /// The coordinator whose stores the context reads; nil if none was set.
  ///
  /// In a migration, the coordinator has the model and no stores, and setting this property has no effect.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get {
      guard settings.isOwn else { return NSPersistentStoreCoordinator(managedObjectModel: model) }
      return settings.coordinator as? NSPersistentStoreCoordinator
    }
    set {
      guard settings.isOwn else { return }
      settings.coordinator = newValue
      attach(
        newValue.map { StoreRows($0, context: self) },
        of: newValue?.managedObjectModel ?? ModelDescription())
    }
  }

  /// The context whose stores this context reads.
  ///
  /// Each of the two contexts has its own objects.
  public var parent: ManagedObjectContext? {
    get { settings.parent }
    set {
      settings.parent = newValue
      persistentStoreCoordinator = newValue?.persistentStoreCoordinator
    }
  }

  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping () throws -> Result
  ) async rethrows -> Result {
    try performAndWait(block)
  }

  // These settings have no effect. They only keep the values that an app sets.

  public var name: String? {
    get { settings.name }
    set { settings.name = newValue }
  }

  public var transactionAuthor: String? {
    get { settings.transactionAuthor }
    set { settings.transactionAuthor = newValue }
  }

  public var mergePolicy: Any {
    get { settings.mergePolicy ?? NSMergePolicy.error }
    set { settings.mergePolicy = newValue }
  }

  public var automaticallyMergesChangesFromParent: Bool {
    get { settings.automaticallyMergesChangesFromParent }
    set { settings.automaticallyMergesChangesFromParent = newValue }
  }

  public var stalenessInterval: TimeInterval {
    get { settings.stalenessInterval }
    set { settings.stalenessInterval = newValue }
  }

  // Objects of an opened store can't be changed, so these lists are empty. In a migration, objects are written with
  // their chunk and then forgotten. A list would have only the objects of the current chunk, but a policy would take it
  // for complete. So reading the list is an error.

  /// Always empty.
  ///
  /// Reading this property of a migration's destination context is an error that ends the migration.
  public var insertedObjects: Set<ManagedObject> { unlisted("insertedObjects") }
  /// Always empty.
  ///
  /// Reading this property of a migration's destination context is an error that ends the migration.
  public var updatedObjects: Set<ManagedObject> { unlisted("updatedObjects") }
  /// Always empty.
  ///
  /// Reading this property of a migration's destination context is an error that ends the migration.
  public var deletedObjects: Set<ManagedObject> { unlisted("deletedObjects") }

  private func unlisted(_ name: String) -> Set<ManagedObject> {
    if isDestination { note(PolicyProblem.unlisted(name)) }
    return []
  }
}
