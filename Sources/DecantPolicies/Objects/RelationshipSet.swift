internal import Foundation

/// The set of `mutableSetValue(forKey:)`: a view of one to-many relationship.
///
/// `allObjects` and iteration give the members. A cast to a Swift set fails, because Foundation casts only its own
/// classes. `value(forKey:)` gives a set that can be cast.
final class RelationshipSet: NSMutableSet {
  private var owner: ManagedObject?
  private var key = ""

  convenience init(of owner: ManagedObject, key: String) {
    self.init(capacity: 0)
    self.owner = owner
    self.key = key
  }

  required init(capacity: Int) { super.init(capacity: 0) }

  required init?(coder: NSCoder) { nil }

  required init(objects: UnsafePointer<AnyObject>, count: Int) { super.init(objects: objects, count: count) }

  private var members: [ManagedObject] { owner?.members(forKey: key) ?? [] }

  override var count: Int { members.count }

  override func member(_ object: Any) -> Any? { members.first { $0 === object as AnyObject } }

  override func objectEnumerator() -> NSEnumerator { (members as NSArray).objectEnumerator() }

  override func add(_ object: Any) {
    guard let owner else { return }
    owner.keepingFirstError(()) {
      guard let member = object as? ManagedObject else {
        throw PolicyProblem.notAnObject(
          entity: owner.entity.entity.name, property: key, found: "\(type(of: object))")
      }
      try owner.contents.insertMember(member, forKey: key)
    }
  }

  override func remove(_ object: Any) {
    guard let owner, let member = object as? ManagedObject else { return }
    owner.keepingFirstError(()) { try owner.contents.removeMember(member, forKey: key) }
  }
}
