internal import DecantSQLite

/// The former pairs of objects that `uniqueBy` makes: the pairs that existed before the piece of work began.
///
/// An object may occur in several chunks. So it is known only after the last chunk which former pairs were not set
/// again. The later mapping wins, so these pairs are deleted.
extension DestinationLinks {
  var hasFormer: Bool { manner == .shared }

  private var name: String { SQLLiteral.string(work) }

  /// Saves the former pairs of a mapping's objects, before the first chunk.
  ///
  /// A to-one relationship has no place for a second pair. So its former pairs are also deleted now, at both ends.
  func savingFormer(mapping: Int) -> [String] {
    let saving =
      "INSERT OR IGNORE INTO main.\(Associations.former) (work, owner, target, place) SELECT \(name), "
      + "\(quoted(storage.owner)), \(quoted(storage.target)), \(storage.inverseOrder.map(quoted) ?? "NULL") "
      + "FROM main.\(quoted(storage.table)) "
      + "WHERE \(quoted(storage.owner)) IN (SELECT destination FROM main.\(Associations.values) "
      + "WHERE mapping = \(mapping)) AND \(quoted(storage.target)) IS NOT NULL"
    guard case .owners = storage.kind else { return [saving] }
    let former = "FROM main.\(Associations.former) AS f WHERE f.work = \(name)"
    var clearing = [
      "UPDATE main.\(quoted(storage.table)) SET \(storage.clearing) WHERE \(quoted(storage.owner)) IN "
        + "(SELECT f.owner \(former))"
    ]
    if let other = otherEnd {
      clearing.append(
        "UPDATE main.\(quoted(other.table)) SET \(other.clearing) WHERE (\(quoted(other.owner)), "
          + "\(quoted(other.target))) IN (SELECT f.target, f.owner \(former))")
    }
    return [saving] + clearing
  }

  /// A statement that gives the pairs that a chunk sets again their former ordering keys in the inverse.
  ///
  /// It is for to-one relationships, whose ordering keys `savingFormer` has deleted.
  var restoredPlaces: [Statement] {
    guard hasFormer, let order = storage.inverseOrder else { return [] }
    return [
      Statement(
        "UPDATE main.\(quoted(storage.table)) SET \(quoted(order)) = f.place FROM temp.decant_pairs AS p "
          + "CROSS JOIN main.\(Associations.former) AS f ON f.work = \(name) AND f.owner = p.owner "
          + "AND f.target = p.target WHERE \(quoted(storage.owner)) = p.owner")
    ]
  }

  /// Statements that delete, in each chunk, the saved pairs that the chunk sets again.
  var struckOut: [Statement] {
    guard hasFormer else { return [] }
    return [
      Statement(
        "DELETE FROM main.\(Associations.former) WHERE work = \(name) AND (owner, target) IN "
          + "(SELECT owner, target FROM temp.decant_pairs)")
    ]
  }

  /// A statement that deletes, after the last chunk, the former pairs that weren't set again.
  ///
  /// It changes one row for each of these pairs.
  var takingOut: String {
    let rest = "(SELECT owner, target FROM main.\(Associations.former) WHERE work = \(name))"
    let pair = "(\(quoted(storage.owner)), \(quoted(storage.target)))"
    let table = "main.\(quoted(storage.table))"
    return switch storage.kind {
    // `savingFormer` has removed these pairs from the relationship already, so only the saved pairs are deleted.
    case .owners: "DELETE FROM main.\(Associations.former) WHERE work = \(name)"
    case .targets: "UPDATE \(table) SET \(storage.clearing) WHERE \(pair) IN \(rest)"
    case .join: "DELETE FROM \(table) WHERE \(pair) IN \(rest)"
    }
  }
}
