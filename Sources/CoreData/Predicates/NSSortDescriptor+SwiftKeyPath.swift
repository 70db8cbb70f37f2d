public import DecantPolicies
public import Foundation

// The compiler prefers these initialisers to the one of Foundation, which takes only comparable values that aren't
// optional.
extension NSSortDescriptor {
  /// Sorts by a Swift key path of a managed object class.
  public convenience init<Root: ManagedObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(properties: keyPath, ascending: ascending)
  }

  /// Sorts by a Swift key path of a managed object class.
  public convenience init<Root: ManagedObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>, ascending: Bool
  ) {
    self.init(properties: keyPath, ascending: ascending)
  }

  private convenience init<Root: ManagedObject, Value>(properties: KeyPath<Root, Value>, ascending: Bool) {
    if let made = PropertySortDescriptor(properties, ascending: ascending) as? Self {
      self.init(made: made)
    } else {
      self.init(keyPath: \String.count, ascending: ascending)
    }
  }
}

/// The result of `NSSortDescriptor(keyPath:ascending:)` with a managed object class.
final class PropertySortDescriptor: NSSortDescriptor {
  /// The names of the properties in the key path, for objects of an entity (`KeyRecorder.path`).
  let path: (EntityDescription, ManagedObjectContext) throws -> String
  private let value: (Any) -> Any?

  init<Root: ManagedObject, Value>(_ keyPath: KeyPath<Root, Value>, ascending: Bool) {
    path = { try KeyRecorder.path(of: keyPath, entity: $0, in: $1) }
    value = { object in (object as? Root).flatMap { ValueBridge.flattened($0[keyPath: keyPath]) } }
    super.init(keyPath: \String.count, ascending: ascending)
  }

  private init(reversing other: PropertySortDescriptor) {
    (path, value) = (other.path, other.value)
    super.init(keyPath: \String.count, ascending: !other.ascending)
  }

  required init?(coder: NSCoder) { nil }

  override var reversedSortDescriptor: Any { PropertySortDescriptor(reversing: self) }

  override func copy(with zone: NSZone?) -> Any { self }

  override func compare(_ left: Any, to right: Any) -> ComparisonResult {
    ValueOrder.compare(value(left), value(right), ascending: ascending)
  }
}
