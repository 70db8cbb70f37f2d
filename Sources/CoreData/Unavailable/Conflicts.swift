// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies
public import Foundation

@available(
  *, unavailable,
  message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
)
public class NSMergeConflict {
  public init(
    source object: ManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {}
}

@available(
  *, unavailable,
  message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
)
public class NSConstraintConflict {
  public init(
    constraint: [String], database databaseObject: ManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting conflictingObjects: [ManagedObject], conflictingSnapshots: [Any]
  ) {}
}

extension ManagedObjectContext {
  @available(
    *, unavailable,
    message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
  )
  public func detectConflicts(for object: ManagedObject) {}

  @available(
    *, unavailable,
    message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
  )
  public func mergeChanges(fromContextDidSave notification: Notification) {}

  @available(
    *, unavailable,
    message: "stores can't be changed outside of a migration, so there is nothing to merge; take it out"
  )
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [ManagedObjectContext]
  ) {}
}
