// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies
public import Foundation

extension ManagedObject {
  @available(*, unavailable, message: "the migration validates every object itself; take the call out")
  public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {}

  @available(*, unavailable, message: "use changedValues()")
  public func changedValuesForCurrentEvent() -> [String: Any] { [:] }

  @available(*, unavailable, message: "relationships are read when they are asked for; take it out")
  public func hasFault(forRelationshipNamed key: String) -> Bool { false }

  @available(*, unavailable, message: "it has no effect here; take it out")
  public var faultingState: Int { 0 }

  @available(*, unavailable, message: "use changedValues()")
  public var hasPersistentChangedValues: Bool { false }

  @available(*, unavailable, message: "it belongs to SwiftUI; take it out")
  public var objectWillChange: Int { 0 }

  @available(*, unavailable, message: "use mutableOrderedSetValue(forKey:)")
  public func mutableArrayValue(forKey key: String) -> NSMutableArray { NSMutableArray() }
}

extension ManagedObjectID {
  @available(*, unavailable, message: "read the store's UUID from uriRepresentation(): it is the host")
  public var persistentStore: NSPersistentStore? { nil }
}

@available(*, unavailable, message: "the method for snapshot events never runs; do its work in the policy")
public enum NSSnapshotEventType {}

extension NSObject {
  @available(
    *, unavailable,
    message: "use observe(_:options:) with a closure for the manager's progress; objects can't be observed"
  )
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {}

  @available(*, unavailable, message: "call invalidate() of the observation that observe(_:options:) gives")
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {}
}
