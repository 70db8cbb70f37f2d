internal import Foundation

/// The ordered set that `mutableOrderedSetValue(forKey:)` gives: what is done to it is done to the relationship too.
///
/// Foundation's accessors read the set's own storage and can't be overridden, so that this is a copy of the members as
/// they were when it was asked for.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private var owner: ManagedObject?
  private var key = ""

  convenience init(of owner: ManagedObject, key: String) {
    self.init(capacity: 0)
    for member in owner.members(forKey: key) { super.insert(member, at: count) }
    self.owner = owner
    self.key = key
  }

  override init(capacity: Int) { super.init(capacity: 0) }

  required init?(coder: NSCoder) { nil }

  required init(objects: UnsafePointer<AnyObject>, count: Int) {
    super.init(capacity: 0)
    for index in 0..<count { super.add(objects[index]) }
  }

  required init(arrayLiteral elements: Any...) {
    super.init(capacity: 0)
    for element in elements { super.add(element) }
  }

  private func write() {
    guard let owner else { return }
    owner.noting(()) { try owner.contents.setMembers(array.compactMap { $0 as? ManagedObject }, forKey: key) }
  }

  override func insert(_ object: Any, at index: Int) {
    guard object is ManagedObject else {
      owner?.managedObjectContext?.note(
        PolicyProblem.notAnObject(
          entity: owner?.entity.entity.name ?? "", property: key, found: "\(type(of: object))"))
      return
    }
    super.insert(object, at: Swift.min(Swift.max(index, 0), count))
    write()
  }

  override func removeObject(at index: Int) {
    guard (0..<count).contains(index) else { return }
    super.removeObject(at: index)
    write()
  }

  override func replaceObject(at index: Int, with object: Any) {
    removeObject(at: index)
    insert(object, at: index)
  }
}
