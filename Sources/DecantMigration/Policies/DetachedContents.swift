internal import DecantMapping
internal import Foundation

/// The values of an object without a context.
final class DetachedContents: ObjectContents {
  private let entity: EntityDescription
  private(set) var values: [String: Any] = [:]

  init(_ entity: EntityDescription) {
    self.entity = entity
  }

  var context: ManagedObjectContext? { nil }
  var key: Int64 { 0 }
  var store: String { "" }

  private func check(_ key: String) throws {
    guard entity.propertiesByName[key] == nil else { return }
    throw PolicyProblem.unknownKey(entity: entity.entity.name, key: key, near: nil)
  }

  func value(forKey key: String) throws -> Any? {
    try check(key)
    return values[key]
  }

  func setValue(_ value: Any?, forKey key: String) throws {
    try check(key)
    values[key] = ValueBridge.flattened(value)
  }

  func members(forKey key: String) throws -> [ManagedObject] {
    try check(key)
    return values[key] as? [ManagedObject] ?? []
  }

  func setMembers(_ members: [ManagedObject], forKey key: String) throws { try setValue(members, forKey: key) }

  func insertMember(_ member: ManagedObject, forKey key: String) throws {
    let members = try members(forKey: key)
    if !members.contains(where: { $0 === member }) { try setMembers(members + [member], forKey: key) }
  }

  func removeMember(_ member: ManagedObject, forKey key: String) throws {
    try setMembers(members(forKey: key).filter { $0 !== member }, forKey: key)
  }

  func isChanged(_ key: String) -> Bool { values[key] != nil }
  var isInserted: Bool { false }
  var isDeleted: Bool { false }
  var hasChanges: Bool { !values.isEmpty }
}
