internal import DecantPolicies
public import Foundation

// Foundation on Linux marks this initialiser as unavailable. The compiler prefers the one here.
extension NSSortDescriptor {
  /// Sorts by a key path; nil sorts by the objects themselves, which a fetch can't do.
  public convenience init(key: String?, ascending: Bool) {
    if let made = KeySortDescriptor(key ?? "self", ascending: ascending) as? Self {
      self.init(made: made)
    } else {
      self.init(keyPath: \String.count, ascending: ascending)
    }
  }
}

/// The result of `NSSortDescriptor(key:ascending:)`.
final class KeySortDescriptor: NSSortDescriptor {
  let path: String

  init(_ path: String, ascending: Bool) {
    self.path = path
    super.init(keyPath: \String.count, ascending: ascending)
  }

  required init?(coder: NSCoder) { nil }

  override var reversedSortDescriptor: Any { KeySortDescriptor(path, ascending: !ascending) }

  override func copy(with zone: NSZone?) -> Any { self }

  override func compare(_ left: Any, to right: Any) -> ComparisonResult {
    ValueOrder.compare(value(of: left), value(of: right), ascending: ascending)
  }

  /// The value of the key path; a path that the object doesn't have gives nil.
  private func value(of object: Any) -> Any? {
    if path == "self" { return object }
    if let object = object as? ManagedObject { return object.value(forKeyPath: path) }
    return try? KeyPathValue.value(path, of: object)
  }
}
