internal import DecantSQLite

/// Indexes for the duration of a piece of work.
///
/// The destination's own indexes are created after the last row. Without any index, each chunk would read whole tables
/// to change a few rows.
extension DestinationLinks {
  /// The columns by which a chunk's statements search for objects.
  private var lookups: [(table: String, column: String)] {
    switch storage.kind {
    case .owners:
      guard let other = otherEnd else { return [] }
      let own = (ownerTable.name, storage.target)
      return isOwnInverse || manner != .whole ? [own] : [own, (other.table, other.target)]
    case .targets: return manner == .whole ? [(storage.table, storage.owner)] : []
    case .join:
      // The table itself is in the order of its first column, which needs no index.
      let isFirst = layout.joinTables.contains {
        $0.name == storage.table && $0.first.column == storage.owner
      }
      return manner == .whole && !isFirst ? [(storage.table, storage.owner)] : []
    }
  }

  private static func name(_ place: Int) -> String { "Z_DECANT_LOOKUP_\(place)" }

  /// Statements that create the indexes; `nil` if no statement needs one.
  var indexing: [String]? {
    let statements = lookups.enumerated().map { place, lookup in
      "CREATE INDEX main.\(Self.name(place)) ON \(quoted(lookup.table)) (\(quoted(lookup.column))) "
        + "WHERE \(quoted(lookup.column)) IS NOT NULL"
    }
    return statements.isEmpty ? nil : statements
  }

  var unindexing: [String] { lookups.indices.map { "DROP INDEX main.\(Self.name($0))" } }
}
