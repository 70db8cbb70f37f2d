internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore

/// Removes refused objects from a destination, with all references to them.
struct QuarantineRemoval {
  let layout: StoreLayout

  func works() -> [Work] {
    layout.tables.flatMap(places) + layout.joinTables.flatMap(places) + layout.tables.compactMap(rows)
      + layout.tables.flatMap(references) + layout.joinTables.compactMap(pairs)
  }

  private func rows(_ table: StoreLayout.Table) -> Work? {
    guard let root = layout.rootNumber(of: table.rootEntity) else { return nil }
    return Work(
      "\(table.rootEntity) to quarantine", stage: .validate,
      statements: ["DELETE FROM main.\(quoted(table.name)) WHERE Z_PK IN \(Quarantine.keys(root: root))"])
  }

  private func references(_ table: StoreLayout.Table) -> [Work] {
    StoredReference.all(in: table, of: layout).compactMap { reference in
      guard let root = layout.rootNumber(of: reference.target) else { return nil }
      let (property, cleared) = (reference.property, reference.cleared.map { "\(quoted($0)) = NULL" })
      return Work(
        "\(property)", stage: .validate,
        statements: [
          "UPDATE main.\(quoted(table.name)) SET \(cleared.joined(separator: ", ")) "
            + "WHERE \(quoted(reference.column)) IN \(Quarantine.keys(root: root))"
        ],
        finding: { count in
          count == 1
            ? "1 object had a relationship “\(property)” with an object that is in quarantine; the relationship is empty "
              + "now."
            : "\(count) objects had a relationship “\(property)” with objects that are in quarantine; the relationship "
              + "is empty now."
        })
    }
  }

  private func pairs(_ join: StoreLayout.JoinTable) -> Work? {
    let ends = ends(join)
    guard ends.count == 2 else { return nil }
    let conditions = ends.map { "\(quoted($0.column)) IN \(Quarantine.keys(root: $0.root))" }
    let name = "\(join.second.relationship)"
    return Work(
      name, stage: .validate,
      statements: ["DELETE FROM main.\(quoted(join.name)) WHERE \(conditions.joined(separator: " OR "))"],
      joinTable: join.name,
      finding: { count in
        count == 1
          ? "1 pair of “\(name)” has an object that is in quarantine; the pair is left out."
          : "\(count) pairs of “\(name)” have objects that are in quarantine; the pairs are left out."
      })
  }

  private func ends(_ join: StoreLayout.JoinTable) -> [(column: String, root: Int)] {
    [join.first, join.second].compactMap { end in
      layout.model.relationship(end.relationship.name, of: end.relationship.entity).flatMap {
        layout.rootNumber(of: $0.destinationEntityName)
      }.map { (end.column, $0) }
    }
  }

  // MARK: Order

  private func places(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .order(let property) = column.role, let root = layout.rootNumber(of: table.rootEntity),
        let owner = layout.toOneColumn(property.name, of: property.entity)
      else { return nil }
      return places(
        table.name, owner: owner, target: "Z_PK", root: root, order: column.name, name: "\(property)")
    }
  }

  private func places(_ join: StoreLayout.JoinTable) -> [Work] {
    let ends = ends(join)
    guard ends.count == 2 else { return [] }
    return [(join.second, ends[1], ends[0]), (join.first, ends[0], ends[1])].compactMap { end, own, other in
      end.orderColumn.map {
        places(
          join.name, owner: other.column, target: own.column, root: own.root, order: $0,
          name: "\(end.relationship)")
      }
    }
  }

  /// Renumbers the remaining targets of owners that lose one (docs/formats/core-data-sqlite.md 7.3).
  private func places(
    _ table: String, owner: String, target: String, root: Int, order: String, name: String
  ) -> Work {
    Work(
      name, stage: .validate,
      statements: [
        "UPDATE main.\(quoted(table)) SET \(quoted(order)) = x.place FROM (SELECT a.rowid AS row, "
          + OrderingKeys.key(
            number: "row_number() OVER (PARTITION BY a.\(quoted(owner)) "
              + "ORDER BY a.\(quoted(order)), a.\(quoted(target)))")
          + " AS place FROM main.\(quoted(table)) AS a "
          + "WHERE a.\(quoted(owner)) IN (SELECT l.\(quoted(owner)) FROM main.\(quoted(table)) AS l "
          + "WHERE l.\(quoted(owner)) IS NOT NULL AND l.\(quoted(target)) IN \(Quarantine.keys(root: root))) "
          + "AND NOT \(Quarantine.isRefused("a.\(quoted(target))", root: root))) AS x "
          + "WHERE main.\(quoted(table)).rowid = x.row"
      ])
  }
}
