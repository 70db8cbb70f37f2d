internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// The create stage of one entity mapping: its objects with their attributes, and their associations.
struct CreateWork {
  private let plan: PassPlan
  let mapping: PassPlan.Mapping
  let sql: SourceSQL

  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    self.plan = plan
    self.mapping = mapping
    sql = SourceSQL(layout: plan.source, entity: mapping.source)
  }

  /// One piece of work; with explicit chunks, one that plans keys and associations and one for each chunk.
  func works() throws(NotSet) -> [Work] {
    let numbering = try self.numbering()
    guard case .predicates(let predicates) = mapping.mapping.chunks else {
      return [work(numbering + [try insert()])]
    }
    var works = [work(numbering)]
    for (index, predicate) in predicates.enumerated() {
      works.append(work([Self.chunk, Self.clear, try rows(of: predicate, index), try insert()]))
    }
    return works
  }

  private func work(_ statements: [String]) -> Work {
    Work(
      mapping.mapping.name, stage: .create, extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"),
      statements: statements, pass: mapping.pass, chunkRows: mapping.chunkRows)
  }

  /// Plans the keys of the objects of a chunk of rows and keeps them as associations.
  private func numbering() throws(NotSet) -> [String] {
    mapping.mapping.uniqueBy == nil
      ? [Self.chunk, Self.clear] + (try plain())
      : [Self.chunk, Self.clear, Self.distinct, Self.clearDistinct] + (try unique())
  }

  // The objects of a chunk: source key, destination key, and what they are unique by.
  private static let chunk =
    "CREATE TEMP TABLE IF NOT EXISTS decant_chunk (source INTEGER PRIMARY KEY, destination INTEGER, value)"
  private static let clear = "DELETE FROM temp.decant_chunk"
  // The values of all source objects of a chunk.
  private static let distinct =
    "CREATE TEMP TABLE IF NOT EXISTS decant_distinct (source INTEGER PRIMARY KEY, value)"
  private static let clearDistinct = "DELETE FROM temp.decant_distinct"

  /// The source rows of the chunk that the filter lets through.
  func rows() throws(NotSet) -> String { try taken() + " AND s.Z_PK > ?1 AND s.Z_PK <= ?2" }

  func taken() throws(NotSet) -> String {
    "FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(mapping.sourceNumber)"
      + (try filter().map { " AND (\($0))" } ?? "")
  }

  /// What all objects will have in some columns; `nil` where these hold more than attributes.
  func selection(of columns: [String]) throws(NotSet) -> String? {
    var values: [String] = []
    for name in columns {
      guard let column = mapping.destinationTable.columns.first(where: { $0.name == name }),
        case .attribute = column.role
      else { return nil }
      values.append("\(try value(of: column) ?? "NULL") AS \(quoted(name))")
    }
    var rows = "SELECT \(values.joined(separator: ", ")) \(try taken())"
    if mapping.mapping.uniqueBy != nil {
      let value = try uniqueValue()
      rows += " AND s.Z_PK IN (SELECT min(s.Z_PK) \(try taken()) AND (\(value)) IS NOT NULL GROUP BY \(value))"
    }
    return rows
  }

  /// The filter as SQL; `nil` where there is none.
  func filter() throws(NotSet) -> String? {
    guard let filter = mapping.mapping.filter, filter != .always else { return nil }
    do throws(NotSQL) {
      return try sql.condition(filter)
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: nil, reason: "the filter: \(error.reason)")
    }
  }

  /// The rows that are left over, as SQL: those that the filter keeps back and those without a value to be unique by;
  /// `nil` where every row is taken.
  func filtered() throws(NotSet) -> String? {
    var taken: [String] = []
    if let filter = try filter() { taken.append("(\(filter))") }
    if mapping.mapping.uniqueBy != nil { taken.append("(\(try uniqueValue())) IS NOT NULL") }
    return taken.isEmpty ? nil : "NOT (\(taken.joined(separator: " AND ")))"
  }

  /// What objects are unique by, as SQL.
  func uniqueValue() throws(NotSet) -> String {
    do throws(NotSQL) {
      return try sql.value(mapping.mapping.uniqueBy ?? .constant(.null))
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: nil, reason: "uniqueBy: \(error.reason)")
    }
  }

  private var root: Int { plan.destination.entityNumbers[mapping.destinationTable.rootEntity] ?? 0 }

  /// The key after the last one that the destination family has given out.
  private var next: String { "(SELECT next FROM main.\(Associations.keys) WHERE root = \(root))" }

  private func plain() throws(NotSet) -> [String] {
    let key = mapping.keepsKeys ? "s.Z_PK" : "\(next) + row_number() OVER (ORDER BY s.Z_PK) - 1"
    var statements = [
      "INSERT INTO temp.decant_chunk (source, destination) SELECT s.Z_PK, \(key) \(try rows()) ORDER BY s.Z_PK",
      "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) "
        + "SELECT \(mapping.number), min(source), count(*), min(destination) FROM "
        + "(SELECT source, destination, source - row_number() OVER (ORDER BY source) AS island "
        + "FROM temp.decant_chunk) GROUP BY island",
    ]
    if !mapping.keepsKeys { statements.append(advance) }
    return statements
  }

  /// One object for each value, numbered by its first source object; every source object is associated with it.
  private func unique() throws(NotSet) -> [String] {
    let value = try uniqueValue()
    return [
      "INSERT INTO temp.decant_distinct (source, value) SELECT key, value FROM "
        + "(SELECT s.Z_PK AS key, \(value) AS value \(try rows())) WHERE value IS NOT NULL",
      "INSERT INTO temp.decant_chunk (source, destination, value) "
        + "SELECT min(d.source), \(next) + row_number() OVER (ORDER BY min(d.source)) - 1, d.value "
        + "FROM temp.decant_distinct AS d WHERE NOT EXISTS (SELECT 1 FROM main.\(Associations.values) AS v "
        + "WHERE v.mapping = \(mapping.number) AND v.value = d.value) GROUP BY d.value",
      "INSERT INTO main.\(Associations.values) (mapping, value, destination, first) "
        + "SELECT \(mapping.number), value, destination, source FROM temp.decant_chunk",
      "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) "
        + "SELECT \(mapping.number), d.source, 1, v.destination FROM temp.decant_distinct AS d "
        + "JOIN main.\(Associations.values) AS v ON v.mapping = \(mapping.number) AND v.value = d.value",
      advance,
    ]
  }

  private var advance: String {
    "UPDATE main.\(Associations.keys) SET next = max(next, 1 + ifnull("
      + "\(NewKeyFunction.name)((SELECT max(destination) FROM temp.decant_chunk)), 0)) WHERE root = \(root)"
  }

  private func insert() throws(NotSet) -> String {
    var filled: [(column: String, value: String)] = []
    for column in mapping.destinationTable.columns {
      if let value = try value(of: column) { filled.append((quoted(column.name), value)) }
    }
    return "INSERT INTO main.\(quoted(mapping.destinationTable.name)) "
      + "(\(filled.map(\.column).joined(separator: ", "))) SELECT \(filled.map(\.value).joined(separator: ", ")) "
      + "FROM temp.decant_chunk AS c CROSS JOIN source.\(quoted(mapping.sourceTable.name)) AS s "
      + "WHERE s.Z_PK = c.source ORDER BY c.destination"
  }

  /// What a column begins with; relationships are set in the relate stage.
  ///
  /// - Returns: SQL over the source row `s`, and `c.destination` for the key; `nil` for what stays NULL here.
  func value(of column: StoreLayout.Column) throws(NotSet) -> String? {
    switch column.role {
    case .key: return "c.destination"
    case .entity: return String(mapping.destinationNumber)
    case .saves: return "1"
    case .toOne, .toOneEntity, .order, .owner: return nil
    case .attribute(let property):
      guard plan.destination.model.isKind(mapping.destination, of: property.entity),
        let attribute = plan.destination.model.attribute(property.name, of: mapping.destination)
      else { return nil }
      return try value(of: attribute)
    }
  }

  private func value(of attribute: Attribute) throws(NotSet) -> String? {
    if let expression = attribute.derivationExpression {
      let kind = DerivationKind(expression, entity: mapping.destination, layout: plan.destination)
      return kind == .now ? Checkpoint.time : nil
    }
    let standard = SQLLiteral.text(
      attribute.defaultValue, isExternal: attribute.allowsExternalBinaryDataStorage)
    let row = mapping.mapping.attributeMappings.first { $0.destinationName == attribute.name }
    switch row?.value {
    case nil, .unset, .defaultValue, .derived: return standard
    case .source(let name): return try fitted(.path(from: .variable("source"), [.key(name)]), attribute)
    case .sourceOrDefault(let name):
      return "ifnull(\(try fitted(.path(from: .variable("source"), [.key(name)]), attribute)), \(standard))"
    case .expression(let expression): return try fitted(expression, attribute)
    }
  }

  private func fitted(_ expression: FormatExpression, _ attribute: Attribute) throws(NotSet) -> String {
    if let column = plainColumn(expression, attribute) { return column }
    do throws(NotSQL) {
      return AttributeFit(attribute, entity: mapping.destination).stored(try sql.typed(expression))
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: attribute.name, reason: error.reason)
    }
  }

  /// A source attribute of the destination's type needs no more than its column, with the marker byte of external
  /// storage added or taken away where the setting changes (core-data-sqlite.md 7).
  private func plainColumn(_ expression: FormatExpression, _ attribute: Attribute) -> String? {
    guard case .keyPath(let path) = expression, path.operand == .variable("source"), path.steps.count == 1,
      case .key(let name) = path.steps[0], let former = plan.source.model.attribute(name, of: mapping.source),
      former.type == attribute.type, !former.isTransient, former.elements.isEmpty,
      let column = plan.source.attributeColumn(name, of: mapping.source)
    else { return nil }
    let value = "s." + quoted(column)
    switch (former.allowsExternalBinaryDataStorage, attribute.allowsExternalBinaryDataStorage) {
    case (true, false): return "\(ExternalDataFunction.inline)(\(value))"
    case (false, true): return "\(ExternalDataFunction.marked)(\(value))"
    default: return value
    }
  }
}
