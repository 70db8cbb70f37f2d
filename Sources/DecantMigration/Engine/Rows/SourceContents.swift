internal import DecantModel
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// A source row as the contents of a managed object; it can't be changed.
final class SourceContents: ObjectContents {
  let row: RowObject
  private unowned let rows: SourceRows
  private let context: ManagedObjectContext

  init(_ row: RowObject, rows: SourceRows, context: ManagedObjectContext) {
    self.row = row
    self.rows = rows
    self.context = context
  }

  func value(forKey key: String) throws -> Any? {
    guard let value = try row.value(forKey: key) else { throw unknown(key) }
    switch value {
    case .object: return try rows.object(value, in: context)
    case .set(let members):
      return NSSet(array: try members.compactMap { try rows.object($0, in: context) })
    case .array(let members):
      return NSOrderedSet(array: try members.compactMap { try rows.object($0, in: context) })
    default: return ValueBridge.any(of: value)
    }
  }

  func members(forKey key: String) throws -> [ManagedObject] {
    guard let value = try row.value(forKey: key) else { throw unknown(key) }
    return try (value.members ?? [value]).compactMap { try rows.object($0, in: context) }
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
