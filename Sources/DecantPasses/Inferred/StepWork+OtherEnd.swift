internal import DecantModel
internal import DecantSQLite
package import DecantStore

extension StepWork {
  /// Fills to-one columns whose values are in other rows of the source.
  ///
  /// If an object has several targets, it gets the target with the largest key. The chunk size makes no difference.
  func lateFills(_ table: StoreLayout.Table) -> [Work] {
    table.columns.flatMap { column -> [Work] in
      guard let (property, storages) = late(column) else { return [] }
      return storages.map { storage in
        let key = quoted(column.name)
        return fill(
          column, property, table, from: storage, where: "(\(key) IS NULL OR \(key) < x.target)")
      }
    }
  }

  /// Sets a column to the targets of a storage.
  ///
  /// If an object has several targets in a chunk, it gets the target with the largest key.
  ///
  /// - Parameters:
  ///   - isOpen: A further condition on a pair of the source, with a leading “AND”.
  ///   - isFree: The condition that an object gets the target `x.target`.
  func fill(
    _ column: StoreLayout.Column, _ property: StoreLayout.Property, _ table: StoreLayout.Table,
    from storage: RelationshipStorage, _ isOpen: String = "", where isFree: String
  ) -> Work {
    let target = "s.\(quoted(storage.target))"
    let place = storage.inverseOrder.map { "s.\(quoted($0))" } ?? "NULL"
    return Work(
      "\(property)", stage: .relate, extent: .chunks(table: storage.table, key: storage.key),
      statements: [
        "UPDATE main.\(quoted(table.name)) SET \(sets(column, property, storage)) FROM "
          + "(SELECT s.\(quoted(storage.owner)) AS owner, max(\(target)) AS target, \(place) AS place "
          + "FROM source.\(quoted(storage.table)) AS s NOT INDEXED WHERE s.\(storage.key) > ?1 AND s.\(storage.key) <= ?2 "
          + "AND s.\(quoted(storage.owner)) IS NOT NULL AND \(exists(target, in: destination(of: column.role)))\(isOpen) "
          + "GROUP BY 1) AS x WHERE Z_PK = x.owner AND \(isFree)"
      ])
  }

  /// For each column that `lateFills` fills, the source relationships, seen from the column's own rows.
  package func endsFilledLate() -> [[RelationshipOrigin.End]] {
    pairing.destination.tables.flatMap(\.columns).compactMap { column in
      let ends: [RelationshipOrigin.End]
      switch column.role {
      case .toOne(let property): ends = origin.ends(of: property)
      case .owner(let property):
        ends = origin.ends(of: property).map {
          .init(entity: $0.entity, name: $0.name, isReversed: !$0.isReversed)
        }
      default: return nil
      }
      let late = ends.filter { origin.storage(of: $0).map { $0.kind != .owners } ?? false }
      return late.isEmpty ? nil : late
    }
  }

  /// The property of a to-one column, and the storages from which `lateFills` fills the column, seen from the column's
  /// own rows.
  func late(
    _ column: StoreLayout.Column
  ) -> (property: StoreLayout.Property, storages: [RelationshipStorage])? {
    switch column.role {
    case .toOne(let property): (property, origin.storages(of: property).filter { $0.kind != .owners })
    case .owner(let property):
      (property, origin.storages(of: property).map(\.reversed).filter { $0.kind != .owners })
    default: nil
    }
  }

  /// SQL that sets a row's target to `x.target`, with the target's entity number if the row stores it.
  ///
  /// If the relationship is ordered in both versions, the SQL also sets the ordering key to `x.place`.
  func sets(
    _ column: StoreLayout.Column, _ property: StoreLayout.Property, _ storage: RelationshipStorage
  ) -> String {
    let layout = pairing.destination
    guard let own = RelationshipStorage(of: property.name, entity: property.entity, in: layout),
      let targets = layout.table(of: destination(of: column.role))
    else { return "\(quoted(column.name)) = x.target" }
    let leading = DestinationLinks.leading(own, to: "x.target", in: targets)
    guard let order = own.inverseOrder, storage.inverseOrder != nil else { return leading }
    return "\(leading), \(quoted(order)) = x.place"
  }

  /// Handles the pairs for which a column filled by `lateFills` has no room.
  ///
  /// If the inverse is to-one, the inverse is cleared for these pairs. Otherwise the pairs are only counted.
  func displaced(_ table: StoreLayout.Table) -> [Work] {
    table.columns.flatMap { column -> [Work] in
      guard let (property, storages) = late(column), !storages.isEmpty else { return [] }
      if let inverse = toOneInverse(of: property) { return [clearing(inverse, column, table)] }
      let (own, name) = ("d.\(quoted(column.name))", quoted(table.name))
      return storages.map { storage in
        Work(
          "\(property)", stage: .validate, statements: [],
          count: "SELECT count(*) FROM source.\(quoted(storage.table)) AS s JOIN main.\(name) AS d "
            + "ON d.Z_PK = s.\(quoted(storage.owner)) WHERE s.\(quoted(storage.target)) IS NOT NULL "
            + "AND \(own) IS NOT s.\(quoted(storage.target))"
        ) { count in
          "\(count) \(count == 1 ? "pair" : "pairs") of “\(property)” \(count == 1 ? "is" : "are") left out: an object keeps only its pair with the largest key, "
            + "and no pair with a missing object is kept."
        }
      }
    }
  }

  package typealias ToOneEnd = (property: StoreLayout.Property, table: String, column: StoreLayout.Column)

  package func toOneInverse(of property: StoreLayout.Property) -> ToOneEnd? {
    let layout = pairing.destination
    guard layout.toOneColumn(property.name, of: property.entity) != nil,
      let other = layout.model.inverse(of: property), let table = layout.table(of: other.entity)
    else { return nil }
    return table.columns.first { $0.role == .toOne(other) }.map { (other, table.name, $0) }
  }

  /// Clears a to-one relationship in objects whose target leads back to another object.
  func clearing(
    _ end: ToOneEnd, _ column: StoreLayout.Column, _ table: StoreLayout.Table, isFreeNow: Bool = false
  ) -> Work {
    let own = "main.\(quoted(end.table))"
    return Work(
      "\(end.property)", stage: .validate,
      statements: [
        "UPDATE \(own) SET \(clearing(end.column)) WHERE \(quoted(end.column.name)) IS NOT NULL AND EXISTS "
          + "(SELECT 1 FROM main.\(quoted(table.name)) AS t WHERE t.Z_PK = \(own).\(quoted(end.column.name)) "
          + "AND t.\(quoted(column.name)) IS NOT NULL AND t.\(quoted(column.name)) <> \(own).Z_PK)"
      ]
    ) { count in
      (count == 1
        ? "1 object shared its “\(end.property)” with another object, but only one of them can have it now; "
        : "\(count) objects shared their “\(end.property)” with other objects, but only one of them can have it now; ")
        + (isFreeNow
          ? (count == 1 ? "this object loses it." : "these objects lose it.")
          : (count == 1 ? "this object has nil." : "these objects have nil."))
    }
  }
}
