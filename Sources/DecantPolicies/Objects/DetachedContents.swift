internal import DecantMapping
internal import Foundation

/// The values of an object without a context.
package final class DetachedContents: ObjectContents {
  private let entity: EntityDescription
  package private(set) var values: [String: Any] = [:]

  init(_ entity: EntityDescription) {
    self.entity = entity
  }

  package var context: ManagedObjectContext? { nil }
  package var key: Int64 { 0 }
  package var store: String { "" }

  private func check(_ key: String) throws {
    guard entity.propertiesByName[key] == nil else { return }
    throw PolicyProblem.unknownKey(
      entity: entity.entity.name, side: nil, key: key, known: entity.propertiesByName.keys.sorted())
  }

  package func value(forKey key: String) throws -> Any? {
    try check(key)
    return values[key]
  }

  package func setValue(_ value: Any?, forKey key: String) throws {
    try check(key)
    values[key] = ValueBridge.flattened(value)
  }

  package func members(forKey key: String) throws -> [ManagedObject] {
    try check(key)
    return values[key] as? [ManagedObject] ?? []
  }

  package func setMembers(_ members: [ManagedObject], forKey key: String) throws {
    try setValue(members, forKey: key)
  }

  package func insertMember(_ member: ManagedObject, forKey key: String) throws {
    let members = try members(forKey: key)
    if !members.contains(where: { $0 === member }) { try setMembers(members + [member], forKey: key) }
  }

  package func removeMember(_ member: ManagedObject, forKey key: String) throws {
    try setMembers(members(forKey: key).filter { $0 !== member }, forKey: key)
  }

  package func isChanged(_ key: String) -> Bool { values[key] != nil }
  package var isInserted: Bool { false }
  package var isDeleted: Bool { false }
  package var hasChanges: Bool { !values.isEmpty }
}
