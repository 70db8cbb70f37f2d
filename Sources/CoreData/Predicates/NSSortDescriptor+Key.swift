public import Foundation

// Foundation on Linux marks these initialisers as unavailable. The compiler prefers the ones here.
extension NSSortDescriptor {
  /// Sorts a fetch by a key path.
  public convenience init(key: String?, ascending: Bool) {
    if let made = KeySortDescriptor(key ?? "", ascending: ascending) as? Self {
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
