internal import DecantSQLite

/// To-many relationships of `uniqueBy`: an object comes up in several chunks, so that only the last one tells what it
/// hasn't been given of what others had set before.
extension DestinationLinks {
  /// Whether pairs that were there before are looked after in this way.
  var hasFormer: Bool { manner == .shared && relationship.isToMany }

  private var name: String { SQLLiteral.string(work) }

  /// Notes, before the first chunk, what the objects of a mapping have.
  func savingFormer(mapping: Int) -> [String] {
    [
      "INSERT OR IGNORE INTO main.\(Associations.former) (work, owner, target) SELECT \(name), "
        + "\(quoted(storage.owner)), \(quoted(storage.target)) FROM main.\(quoted(storage.table)) "
        + "WHERE \(quoted(storage.owner)) IN (SELECT destination FROM main.\(Associations.values) "
        + "WHERE mapping = \(mapping))"
    ]
  }

  /// Strikes out, in each chunk, what the objects are given.
  var strikingOut: Statement {
    Statement(
      "DELETE FROM main.\(Associations.former) WHERE work = \(name) AND (owner, target) IN "
        + "(SELECT owner, target FROM temp.decant_pairs)")
  }

  /// Takes out, after the last chunk, what nothing has given: the later mapping wins.
  var takingOut: [String] {
    let rest = "(SELECT owner, target FROM main.\(Associations.former) WHERE work = \(name))"
    let pair = "(\(quoted(storage.owner)), \(quoted(storage.target)))"
    let table = "main.\(quoted(storage.table))"
    guard case .targets = storage.kind else { return ["DELETE FROM \(table) WHERE \(pair) IN \(rest)"] }
    return ["UPDATE \(table) SET \(emptied) WHERE \(pair) IN \(rest)"]
  }
}
