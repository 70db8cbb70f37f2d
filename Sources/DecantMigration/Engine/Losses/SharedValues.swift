internal import DecantMapping
internal import DecantSQLite
internal import PredicateFormat

/// Values of source objects that share one destination object, where another source object gives the value.
///
/// Objects made by `uniqueBy` have the attributes of the first source object that has their value.
struct SharedValues {
  private(set) var found = MappedLosses.Found()
  private let rows: TakenRows
  private let readers: SourceReaders

  init(_ rows: TakenRows, _ readers: SourceReaders) {
    self.rows = rows
    self.readers = readers
    for mapping in rows.plan.mappings where mapping.mapping.uniqueBy != nil && mapping.mapping.policy == nil {
      add(mapping)
    }
  }

  private mutating func add(_ mapping: PassPlan.Mapping) {
    var properties: [(name: String, sql: String)] = []
    let work = CreateWork(rows.plan, mapping)
    for column in mapping.destinationTable.columns {
      guard case .attribute(let attribute) = column.role,
        let name = name(of: attribute.name, mapping), !properties.contains(where: { $0.name == name })
      else { continue }
      do throws(NotSet) {
        guard let value = try work.value(of: column) else { continue }
        properties.append((name, value))
      } catch {
        add(uncounted: name, mapping, error)
      }
    }
    guard !properties.isEmpty else { return }
    do throws(NotSet) {
      found.questions.append(
        LossQuestion(
          items: properties.map { item($0.name, mapping) },
          statement: try statement(properties.map(\.sql), work),
          mappings: rows.mappings(of: mapping.source)))
    } catch {
      for property in properties { add(uncounted: property.name, mapping, error) }
    }
  }

  private mutating func add(uncounted name: String, _ mapping: PassPlan.Mapping, _ error: NotSet) {
    found.uncounted.append(UncountedLoss(item: item(name, mapping), reason: error.reason))
  }

  private func item(_ name: String, _ mapping: PassPlan.Mapping) -> LossQuestion.Item {
    .init(kind: .attribute, entity: mapping.source, property: name, cause: .shared)
  }

  /// The source attribute whose values a destination attribute has; `nil` if the objects that share have the same
  /// value, or if another entity mapping keeps each value.
  private func name(of attribute: String, _ mapping: PassPlan.Mapping) -> String? {
    guard let row = mapping.mapping.attributeMappings.first(where: { $0.destinationName == attribute }),
      let name = readers.sources(of: attribute, mapping: mapping.number).first
    else { return nil }
    if case .expression(let expression) = row.value, expression == mapping.mapping.uniqueBy { return nil }
    if mapping.mapping.uniqueBy?.sourceKey == name,
      readers.sources(of: attribute, mapping: mapping.number).count == 1
    {
      return nil
    }
    guard let reading = readers.readers(of: name, entity: mapping.source) else { return nil }
    let keeps = rows.mappings(of: mapping.source).contains {
      reading[$0.number] != nil && !$0.mapping.chooses
    }
    return keeps ? nil : name
  }

  /// Counts the values that aren't nil and differ from that of the first object with the same value of `uniqueBy`.
  private func statement(_ values: [String], _ work: CreateWork) throws(NotSet) -> String {
    let unique = try work.uniqueValue()
    let columns = values.indices.map { "v\($0)" }
    let firsts = columns.map { "first_value(\($0)) OVER shared AS first_\($0)" }
    let given = zip(values, columns).map { "\($0) AS \($1)" }
    return
      "SELECT \(columns.map { "count(CASE WHEN \($0) IS NOT first_\($0) THEN \($0) END)" }.joined(separator: ", ")) "
      + "FROM (SELECT \((columns + firsts).joined(separator: ", ")) FROM "
      + "(SELECT s.Z_PK AS key, \(unique) AS shared_by, \(given.joined(separator: ", ")) \(try work.taken()) "
      + "AND (\(unique)) IS NOT NULL) WINDOW shared AS (PARTITION BY shared_by ORDER BY key))"
  }
}
