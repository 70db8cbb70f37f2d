internal import Foundation

/// The ordered set of `mutableOrderedSetValue(forKey:)`: a change of it also changes the relationship.
///
/// Foundation's accessors read the set's own storage and can't be overridden. So this set holds a copy of the members,
/// which is made when this object is made. Later changes of the relationship don't change this set.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private var owner: ManagedObject?
  private var key = ""
  /// The depth of nested changes; the outermost change writes the relationship.
  private var depth = 0

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
    owner.keepingFirstError(()) {
      try owner.contents.setMembers(array.compactMap { $0 as? ManagedObject }, forKey: key)
    }
  }

  /// Makes a change, and writes the relationship after the outermost change.
  ///
  /// Foundation's own methods sometimes call each other, but this isn't documented.
  private func change(_ body: () -> Void) {
    depth += 1
    body()
    depth -= 1
    if depth == 0 { write() }
  }

  private func isMember(_ object: Any) -> Bool {
    if object is ManagedObject { return true }
    owner?.managedObjectContext?.note(
      PolicyProblem.notAnObject(
        entity: owner?.entity.entity.name ?? "", property: key, found: "\(type(of: object))"))
    return false
  }

  // MARK: Adding

  override func add(_ object: Any) {
    guard isMember(object) else { return }
    change { super.add(object) }
  }

  override func addObjects(from array: [Any]) { change { for object in array { add(object) } } }

  override func insert(_ object: Any, at index: Int) {
    guard isMember(object) else { return }
    change { super.insert(object, at: Swift.min(Swift.max(index, 0), count)) }
  }

  override func insert(_ objects: [Any], at indexes: IndexSet) {
    change { for (object, index) in zip(objects, indexes) { insert(object, at: index) } }
  }

  override func setObject(_ object: Any, at index: Int) {
    if index == count { add(object) } else { replaceObject(at: index, with: object) }
  }

  override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

  override func unionSet(_ other: Set<AnyHashable>) { change { for object in other { add(object.base) } } }

  // MARK: Removing

  override func remove(_ object: Any) { change { super.remove(object) } }

  override func removeObject(at index: Int) {
    guard (0..<count).contains(index) else { return }
    change { super.removeObject(at: index) }
  }

  override func removeObjects(at indexes: IndexSet) {
    change { for index in indexes.reversed() { removeObject(at: index) } }
  }

  override func removeObjects(in range: NSRange) {
    removeObjects(at: IndexSet(integersIn: range.location..<range.location + range.length))
  }

  override func removeObjects(in array: [Any]) { change { for object in array { remove(object) } } }

  override func removeAllObjects() { change { super.removeAllObjects() } }

  override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }

  override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

  override func intersect(_ other: NSOrderedSet) { removeObjects(in: array.filter { !other.contains($0) }) }

  override func intersectSet(_ other: Set<AnyHashable>) {
    let kept = other.map { $0.base as AnyObject }
    removeObjects(in: array.filter { object in !kept.contains { $0 === object as AnyObject } })
  }

  // MARK: Placing

  override func replaceObject(at index: Int, with object: Any) {
    guard (0..<count).contains(index), isMember(object) else { return }
    change {
      removeObject(at: index)
      insert(object, at: index)
    }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    guard (0..<count).contains(first), (0..<count).contains(second) else { return }
    change { super.exchangeObject(at: first, withObjectAt: second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    change { super.moveObjects(at: indexes, to: index) }
  }

  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    change { super.sort(comparator: comparator) }
  }

  override func sort(options: NSSortOptions, usingComparator comparator: (Any, Any) -> ComparisonResult) {
    change { super.sort(options: options, usingComparator: comparator) }
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions, usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    change { super.sortRange(range, options: options, usingComparator: comparator) }
  }
}
