// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

extension ManagedObjectContext {
  @available(*, unavailable, message: "there is no undo manager; rollback() forgets what was changed")
  public func undo() {}

  @available(*, unavailable, message: "there is no undo manager; rollback() forgets what was changed")
  public func redo() {}

  @available(*, unavailable, message: "an object belongs to the store of its migration; take it out")
  public func assign(_ object: Any, to store: NSPersistentStore) {}

  @available(*, unavailable, message: "it has no effect here; take it out")
  public var shouldDeleteInaccessibleFaults: Bool {
    get { true }
    set {}
  }

  @available(*, unavailable, message: "it has no effect here; take it out")
  public var propagatesDeletesAtEndOfEvent: Bool {
    get { true }
    set {}
  }

  @available(*, unavailable, message: "it has no effect here; take it out")
  public var retainsRegisteredObjects: Bool {
    get { true }
    set {}
  }

  @available(*, unavailable, message: "it has no effect here; take it out")
  public func shouldHandleInaccessibleFault(
    _ fault: ManagedObject, for identifier: ManagedObjectID, triggeredByProperty property: PropertyDescription?
  ) -> Bool { false }
}
