internal import Foundation

/// The ordered set that `mutableOrderedSetValue(forKey:)` gives: a view of one to-many relationship.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private var owner: ManagedObject?
  private var key = ""

  convenience init(of owner: ManagedObject, key: String) {
    self.init(capacity: 0)
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

  private var members: [ManagedObject] {
    get { owner?.members(forKey: key) ?? [] }
    set {
      guard let owner else { return }
      owner.noting(()) { try owner.contents.setMembers(newValue, forKey: key) }
    }
  }

  override var count: Int { members.count }

  override func object(at index: Int) -> Any { members[index] }

  override func index(of object: Any) -> Int {
    members.firstIndex { $0 === object as AnyObject } ?? NSNotFound
  }

  override func insert(_ object: Any, at index: Int) {
    guard let owner else { return }
    guard let member = object as? ManagedObject else {
      owner.managedObjectContext?.note(
        PolicyProblem.notAnObject(entity: owner.entity.entity.name, property: key, found: "\(type(of: object))")
      )
      return
    }
    var all = members
    guard !all.contains(where: { $0 === member }) else { return }
    all.insert(member, at: Swift.min(Swift.max(index, 0), all.count))
    members = all
  }

  override func add(_ object: Any) { insert(object, at: count) }

  override func removeObject(at index: Int) {
    var all = members
    guard all.indices.contains(index) else { return }
    all.remove(at: index)
    members = all
  }

  override func remove(_ object: Any) {
    members = members.filter { $0 !== object as AnyObject }
  }

  override func replaceObject(at index: Int, with object: Any) {
    removeObject(at: index)
    insert(object, at: index)
  }

  override func removeAllObjects() { members = [] }
}
