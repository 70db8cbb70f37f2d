internal import DecantModel
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// A source row as the contents of a managed object; it can't be changed.
final class SourceContents: ObjectContents {
  let row: RowObject
  let rows: SourceRows

  init(_ row: RowObject, rows: SourceRows) {
    self.row = row
    self.rows = rows
  }

  var context: ManagedObjectContext? { rows.home }
  var key: Int64 { row.key }
  var store: String { rows.store }

  func value(forKey key: String) throws -> Any? {
    guard let value = try row.value(forKey: key) else { throw unknown(key) }
    switch value {
    case .object: return rows.object(value)
    case .set(let members): return NSSet(array: members.compactMap(rows.object))
    case .array(let members): return NSOrderedSet(array: members.compactMap(rows.object))
    default: return ValueBridge.any(of: value)
    }
  }

  func members(forKey key: String) throws -> [ManagedObject] {
    guard let value = try row.value(forKey: key) else { throw unknown(key) }
    return (value.members ?? [value]).compactMap(rows.object)
  }

  private func unknown(_ key: String) -> PolicyProblem { rows.unknown(key, of: row.entity) }

  private func refused(_ key: String) -> PolicyProblem {
    PolicyProblem.sourceIsReadOnly(object: row.label, property: key)
  }

  func setValue(_ value: Any?, forKey key: String) throws { throw refused(key) }
  func setMembers(_ members: [ManagedObject], forKey key: String) throws { throw refused(key) }
  func insertMember(_ member: ManagedObject, forKey key: String) throws { throw refused(key) }
  func removeMember(_ member: ManagedObject, forKey key: String) throws { throw refused(key) }

  func isChanged(_ key: String) -> Bool { false }
  var isInserted: Bool { false }
  var isDeleted: Bool { false }
  var hasChanges: Bool { false }
}
