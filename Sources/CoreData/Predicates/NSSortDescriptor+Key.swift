internal import DecantPolicies
public import Foundation

// Foundation on Linux marks these initialisers as unavailable. The compiler prefers the ones here.
extension NSSortDescriptor {
  /// Sorts by a key path.
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

  /// Compares two objects by the values of the key path; nil comes first.
  override func compare(_ left: Any, to right: Any) -> ComparisonResult {
    let result = Self.order(value(of: left), value(of: right))
    switch result {
    case .orderedSame: return .orderedSame
    default: return (result == .orderedAscending) == ascending ? .orderedAscending : .orderedDescending
    }
  }

  /// The value of the key path; a path that the object doesn't have gives nil.
  private func value(of object: Any) -> Any? {
    if path == "self" { return object }
    if let object = object as? ManagedObject { return object.value(forKeyPath: path) }
    return try? KeyPathValue.value(path, of: object)
  }

  private static func order(_ left: Any?, _ right: Any?) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let a as NSNumber, let b as NSNumber): a.compare(b)
    case (let a as Date, let b as Date): a.compare(b)
    case (let a as String, let b as String): a.compare(b)
    default: "\(left ?? "")".compare("\(right ?? "")")
    }
  }
}

extension NSSortDescriptor {
  /// The key path in the engine's form.
  ///
  /// - Throws: `CoreDataError` for a Swift key path, which has no key name on Linux.
  func order() throws -> (path: String, ascending: Bool) {
    guard let sort = self as? KeySortDescriptor else {
      throw CoreDataError(
        NSCoreDataError, "a sort by a Swift key path can't be used in a fetch; give the key as text")
    }
    return (sort.path, ascending)
  }
}
