internal import DecantSQLite

/// To-many relationships of `uniqueBy`.
///
/// An object may occur in several chunks. So it is known only after the last chunk which former pairs, set by other
/// mappings, were not set again.
extension DestinationLinks {
  /// Whether former pairs are handled in this way.
  var hasFormer: Bool { manner == .shared && relationship.isToMany }

  private var name: String { SQLLiteral.string(work) }

  /// Saves the former pairs of a mapping's objects, before the first chunk.
  func savingFormer(mapping: Int) -> [String] {
    [
      "INSERT OR IGNORE INTO main.\(Associations.former) (work, owner, target) SELECT \(name), "
        + "\(quoted(storage.owner)), \(quoted(storage.target)) FROM main.\(quoted(storage.table)) "
        + "WHERE \(quoted(storage.owner)) IN (SELECT destination FROM main.\(Associations.values) "
        + "WHERE mapping = \(mapping))"
    ]
  }

  /// Removes pairs that are set again from the saved ones, in each chunk.
  var strikingOut: Statement {
    Statement(
      "DELETE FROM main.\(Associations.former) WHERE work = \(name) AND (owner, target) IN "
        + "(SELECT owner, target FROM temp.decant_pairs)")
  }

  /// Deletes the former pairs that weren't set again, after the last chunk: the later mapping wins.
  var takingOut: [String] {
    let rest = "(SELECT owner, target FROM main.\(Associations.former) WHERE work = \(name))"
    let pair = "(\(quoted(storage.owner)), \(quoted(storage.target)))"
    let table = "main.\(quoted(storage.table))"
    guard case .targets = storage.kind else { return ["DELETE FROM \(table) WHERE \(pair) IN \(rest)"] }
    return ["UPDATE \(table) SET \(storage.clearing) WHERE \(pair) IN \(rest)"]
  }
}
