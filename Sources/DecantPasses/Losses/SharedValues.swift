internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// Finds attribute values that are lost because several source objects share one destination object.
///
/// An object made by `uniqueBy` has the attributes of the first source object with its value of `uniqueBy`. A value of
/// a source object is lost if each entity mapping that takes the object and reads the attribute uses the first source
/// object's value, and if this value differs.
package struct SharedValues {
  private(set) var found = MappedLosses.Found()
  private let rows: TakenRows
  private let readers: SourceReaders

  init(_ rows: TakenRows, _ readers: SourceReaders) {
    self.rows = rows
    self.readers = readers
    let sharing = Set(rows.plan.mappings.filter { $0.mapping.uniqueBy != nil }.map(\.source))
    for entity in rows.plan.source.model.entities where sharing.contains(entity.name) { add(entity) }
  }

  private mutating func add(_ entity: Entity) {
    let mappings = rows.mappings(of: entity.name)
    var counts: [(item: LossQuestion.Item, column: Column)] = []
    for attribute in rows.plan.source.model.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.followsFromOthers {
      guard let uses = readers.readers(of: attribute.name, entity: entity.name),
        let column = rows.plan.source.attributeColumn(attribute.name, of: entity.name)
      else { continue }
      // Reading an attribute in a filter or in `uniqueBy` doesn't keep its value.
      let reading = mappings.filter { uses[$0.number] != nil && carries(attribute.name, $0) }
      let keepsAll = reading.contains { mapping in
        isWhole(mapping) && (mapping.mapping.uniqueBy == nil || isSame(attribute.name, mapping))
      }
      let sharing = reading.filter { $0.mapping.uniqueBy != nil && !isSame(attribute.name, $0) }
      if keepsAll || sharing.isEmpty { continue }
      counts.append(
        (
          .init(kind: .attribute, entity: entity.name, property: attribute.name, cause: .shared),
          Column(
            name: column,
            keeping: reading.filter { $0.mapping.uniqueBy == nil || isSame(attribute.name, $0) },
            sharing: sharing)
        ))
    }
    for start in stride(from: 0, to: counts.count, by: Self.mostColumns) {
      let part = Array(counts[start..<min(start + Self.mostColumns, counts.count)])
      do throws(NotSet) {
        found.questions.append(
          LossQuestion(
            items: part.map(\.item), statement: try statement(part.map(\.column)), mappings: mappings))
      } catch {
        for item in part.map(\.item) {
          found.uncounted.append(UncountedLoss(item: item, reason: "\(error)"))
        }
      }
    }
  }

  private static let mostColumns = 20

  /// An attribute's column, and the entity mappings that read it.
  private struct Column {
    let name: String
    /// Entity mappings that keep the value of each object that they take.
    let keeping: [PassPlan.Mapping]
    /// Entity mappings that keep only the value of the first source object.
    let sharing: [PassPlan.Mapping]
  }

  /// Whether no filter leaves out an object.
  private func isWhole(_ mapping: PassPlan.Mapping) -> Bool {
    [nil, .always].contains(mapping.mapping.filter)
  }

  /// Whether an attribute mapping of an entity mapping reads an attribute of its own source objects.
  private func carries(_ attribute: String, _ mapping: PassPlan.Mapping) -> Bool {
    mapping.mapping.attributeMappings.contains {
      readers.sources(of: $0.destinationName, mapping: mapping.number).contains(attribute)
    }
  }

  /// Whether all source objects that share one object give it the same value.
  private func isSame(_ attribute: String, _ mapping: PassPlan.Mapping) -> Bool {
    if mapping.mapping.uniqueBy?.sourceKey == attribute { return true }
    return mapping.mapping.attributeMappings.allSatisfy { row in
      guard readers.sources(of: row.destinationName, mapping: mapping.number).contains(attribute) else {
        return true
      }
      guard case .expression(let expression) = row.value else { return false }
      return expression == mapping.mapping.uniqueBy
    }
  }

  private func statement(_ columns: [Column]) throws(NotSet) -> String {
    var inner = columns.enumerated().map { "s.\(quoted($1.name)) AS v\($0)" }
    var windows: [String] = []
    var named: Set<Int> = []
    for mapping in columns.flatMap({ $0.keeping + $0.sharing }) where named.insert(mapping.number).inserted {
      let number = mapping.number
      let taken = try rows.isTaken("s", by: mapping).text
      inner.append("\(taken) AS taken\(number)")
      guard mapping.mapping.uniqueBy != nil else { continue }
      inner.append(
        "CASE WHEN \(taken) THEN \(try CreateWork(rows.plan, mapping).uniqueValue()) END AS key\(number)")
      windows.append("shared\(number) AS (PARTITION BY taken\(number), key\(number) ORDER BY decant_key)")
    }
    var firsts: [String] = []
    var results: [String] = []
    for (place, column) in columns.enumerated() {
      var lost = column.keeping.map { "NOT taken\($0.number)" }
      for number in column.sharing.map(\.number) {
        firsts.append("first_value(v\(place)) OVER shared\(number) AS first\(place)_\(number)")
        lost.append("(NOT taken\(number) OR v\(place) IS NOT first\(place)_\(number))")
      }
      let taken = column.sharing.map { "taken\($0.number)" }.joined(separator: " OR ")
      results.append("count(CASE WHEN (\(taken)) AND \(lost.joined(separator: " AND ")) THEN v\(place) END)")
    }
    let table = rows.mappings(of: columns[0].sharing[0].source)[0]
    return "SELECT \(results.joined(separator: ", ")) FROM (SELECT *, \(firsts.joined(separator: ", ")) FROM "
      + "(SELECT s.Z_PK AS decant_key, \(inner.joined(separator: ", ")) "
      + "FROM source.\(quoted(table.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(table.sourceNumber)) "
      + "WINDOW \(windows.joined(separator: ", ")))"
  }
}
