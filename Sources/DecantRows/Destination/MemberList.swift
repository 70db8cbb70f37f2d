internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore

/// Sets a to-many relationship to a list that comes in parts.
///
/// The members that were added are in a temporary table.
///
/// The result is the same as that of `DestinationRows.setMembers` with the whole list.
final class MemberList {
  private static let table = "decant_members"

  private let rows: DestinationRows
  private let link: EntityShape.Link
  private let owner: DestinationContents
  private let isOrdered: Bool
  /// The ordering key of the last member in an ordered relationship.
  private var place = OrderingKeys.beforeFirst

  init(
    _ link: EntityShape.Link, of owner: DestinationContents, isOrdered: Bool, in rows: DestinationRows
  ) throws {
    self.rows = rows
    self.isOrdered = isOrdered && link.orderColumn != nil
    self.link = link
    self.owner = owner
    try rows.statements.run("CREATE TEMP TABLE IF NOT EXISTS \(Self.table) (key INTEGER PRIMARY KEY)", [])
    try rows.statements.run("DELETE FROM temp.\(Self.table)", [])
  }

  /// Adds objects at the end of the list; objects that are in the list already are skipped.
  func add(_ objects: [ManagedObject]) throws {
    for object in objects {
      let member = try rows.contents(of: object, for: link.relationship.name, owner.shape.entity)
      let key = [SQLiteValue.integer(member.key)]
      guard try rows.statements.first("SELECT 1 FROM temp.\(Self.table) WHERE key = ?", key) == nil else {
        continue
      }
      try rows.statements.run("INSERT INTO temp.\(Self.table) (key) VALUES (?)", key)
      place += OrderingKeys.step
      try rows.put(member, link, into: owner, at: isOrdered ? place : nil)
    }
  }

  /// Removes the owner's former members that aren't in the list.
  func end() throws {
    try rows.removeMembers(link, of: owner, where: "NOT IN (SELECT key FROM temp.\(Self.table))")
    if isOrdered { rows.note(last: place, link, of: owner) } else { rows.noteUnplaced(link, of: owner) }
  }
}
