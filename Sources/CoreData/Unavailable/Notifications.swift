// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies
public import Foundation

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSInsertedObjectsKey = "NSInsertedObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSUpdatedObjectsKey = "NSUpdatedObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSDeletedObjectsKey = "NSDeletedObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSRefreshedObjectsKey = "NSRefreshedObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSInvalidatedObjectsKey = "NSInvalidatedObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSInvalidatedAllObjectsKey = "NSInvalidatedAllObjectsKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSManagedObjectContextQueryGenerationKey = "NSManagedObjectContextQueryGenerationKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSAddedPersistentStoresKey = "NSAddedPersistentStoresKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSRemovedPersistentStoresKey = "NSRemovedPersistentStoresKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

@available(*, unavailable, message: "nothing is announced here: changes of stores don't come as notifications")
public let NSPersistentStoreURLKey = "NSPersistentStoreURLKey"

extension NSNotification.Name {
  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSManagedObjectContextWillSave = NSNotification.Name("NSManagedObjectContextWillSave")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagedObjectContextDidSave")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
    "NSManagedObjectContextObjectsDidChange")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidSaveObjectIDs")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDs")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChange")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresDidChange")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStore")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChange")
}

extension ManagedObjectContext {
  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let willSaveObjectsNotification = NSNotification.Name("willSaveObjectsNotification")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let didSaveObjectsNotification = NSNotification.Name("didSaveObjectsNotification")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let didChangeObjectsNotification = NSNotification.Name("didChangeObjectsNotification")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let didSaveObjectIDsNotification = NSNotification.Name("didSaveObjectIDsNotification")

  @available(
    *, unavailable, message: "nothing is announced here: changes of stores don't come as notifications"
  )
  public static let didMergeChangesObjectIDsNotification = NSNotification.Name(
    "didMergeChangesObjectIDsNotification")
}
