internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
package import DecantStore
internal import PredicateFormat

/// The create stage of one entity mapping: its objects with their attributes, and their associations.
package struct CreateWork {
  private let plan: PassPlan
  let mapping: PassPlan.Mapping
  let sql: SourceSQL
  /// SQL for the to-one relationships that are written with the objects, by name (`LinkPlan.columns`).
  private let targets: [String: String]
  /// Whether the expressions of attributes become SQL.
  ///
  /// If false, an attribute's expression that isn't a copy of a source attribute throws `NotSet`.
  private let computes: Bool

  package init(
    _ plan: PassPlan, _ mapping: PassPlan.Mapping, targets: [String: String] = [:], computes: Bool = true
  ) {
    self.targets = targets
    self.computes = computes
    self.plan = plan
    self.mapping = mapping
    sql = SourceSQL(layout: plan.source, entity: mapping.source)
  }

  /// The pieces of work; without chunk predicates only one.
  ///
  /// With chunk predicates, the first piece writes keys and associations. Then there is one piece for each predicate.
  func works() throws(NotSet) -> [Work] {
    guard case .predicates(let predicates) = mapping.mapping.chunks else {
      if mapping.mapping.uniqueBy == nil { return [work([try insert(asRead: true)], numbers: true)] }
      return [work([Self.chunk, Self.clear, try unique(), try insert()], numbers: true)]
    }
    let numbering = mapping.mapping.uniqueBy == nil ? [try plain()] : [Self.chunk, Self.clear, try unique()]
    var works = [work(numbering, numbers: true)]
    for (index, predicate) in predicates.enumerated() {
      works.append(work([Self.chunk, Self.clear, try rows(of: predicate, index), try insert()]))
    }
    return works
  }

  private func work(_ statements: [String], numbers: Bool = false) -> Work {
    let numbering = KeyNumbering(
      mapping: mapping.number, root: root, keepsKeys: mapping.keepsKeys,
      isShared: mapping.mapping.uniqueBy != nil, isInBlocks: plan.isInBlocks(mapping))
    var work = Work(
      mapping.mapping.name, stage: .create, extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"),
      statements: statements, numbering: numbers ? numbering : nil, pass: mapping.pass,
      chunkRows: mapping.chunkRows)
    work.filter = mapping.mapping.filter.map { "\($0)" }
    return work
  }

  // The table of a chunk's new objects: source key and destination key.
  private static let chunk =
    "CREATE TEMP TABLE IF NOT EXISTS decant_chunk (source INTEGER PRIMARY KEY, destination INTEGER)"
  private static let clear = "DELETE FROM temp.decant_chunk"
  /// The source rows of the chunk that the filter takes.
  func rows() throws(NotSet) -> String { try taken() + " AND s.Z_PK > ?1 AND s.Z_PK <= ?2" }

  func taken() throws(NotSet) -> String {
    "FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED WHERE s.Z_ENT = \(mapping.sourceNumber)"
      + (try filter().map { " AND (\($0))" } ?? "")
  }

  /// The filter as SQL; `nil` if there is no filter, or if it is `TRUEPREDICATE`.
  package func filter() throws(NotSet) -> String? {
    guard let filter = mapping.mapping.filter, filter != .always else { return nil }
    do throws(NotSQL) {
      return try sql.condition(filter)
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: nil, reason: "the filter: \(error.reason)")
    }
  }

  /// SQL for the rows that aren't taken: the filter excludes them, or they have no value for `uniqueBy`; `nil` if all
  /// rows are taken.
  package func filtered() throws(NotSet) -> String? {
    var taken: [String] = []
    if let filter = try filter() { taken.append("(\(filter))") }
    if mapping.mapping.uniqueBy != nil { taken.append("(\(try uniqueValue())) IS NOT NULL") }
    return taken.isEmpty ? nil : "NOT (\(taken.joined(separator: " AND ")))"
  }

  func uniqueValue() throws(NotSet) -> String {
    do throws(NotSQL) {
      return try sql.value(mapping.mapping.uniqueBy ?? .constant(.null))
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: nil, reason: "uniqueBy: \(error.reason)")
    }
  }

  private var root: Int { plan.destination.entityNumbers[mapping.destinationTable.rootEntity] ?? 0 }

  /// A statement that gives each source object of a chunk a key, if the filter takes the object.
  private func plain() throws(NotSet) -> String {
    "SELECT count(\(KeyAssignment.key)(s.Z_PK)) \(try rows())"
  }

  /// A statement that gives each new value of `uniqueBy` a destination key, in the order of the source keys.
  ///
  /// Every source object with a value is associated with the object of this value.
  private func unique() throws(NotSet) -> String {
    "SELECT count(\(KeyAssignment.unique)(s.Z_PK, \(try uniqueValue()))) \(try rows())"
  }

  /// - Parameter asRead: True to insert an object for every source row of the chunk that the filter takes, in reading
  ///   order, with a key assigned by the statement. False to insert the objects of `temp.decant_chunk`.
  private func insert(asRead: Bool = false) throws(NotSet) -> String {
    var filled: [(column: String, value: String)] = []
    for column in mapping.destinationTable.columns {
      if column.role == .key {
        filled.append((quoted(column.name), asRead ? "\(KeyAssignment.key)(s.Z_PK)" : "c.destination"))
      } else if let value = try value(of: column) {
        filled.append((quoted(column.name), value))
      }
    }
    let rows =
      asRead
      ? "\(try rows()) ORDER BY s.Z_PK"
      : "FROM temp.decant_chunk AS c CROSS JOIN source.\(quoted(mapping.sourceTable.name)) AS s "
        + "WHERE s.Z_PK = c.source ORDER BY c.destination"
    return "INSERT INTO main.\(quoted(mapping.destinationTable.name)) "
      + "(\(filled.map(\.column).joined(separator: ", "))) SELECT "
      + "\(filled.map(\.value).joined(separator: ", ")) \(rows)"
  }

  /// The value that a column gets in the create stage.
  ///
  /// Most relationships are set in the relate stage.
  ///
  /// - Returns: SQL over the source row `s`. `nil` for the key, and for a column that stays NULL in this stage.
  package func value(of column: StoreLayout.Column) throws(NotSet) -> String? {
    switch column.role {
    case .entity: return String(mapping.destinationNumber)
    case .saves: return "1"
    case .toOne(let property):
      return plan.destination.model.isKind(mapping.destination, of: property.entity)
        ? targets[property.name] : nil
    case .key, .toOneEntity, .order, .owner: return nil
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
    // A plain source attribute is always SQL.
    case .sourceOrDefault(let name):
      return "ifnull(\(try selected(.path(from: .variable("source"), [.key(name)]), attribute)), \(standard))"
    case .expression(let expression): return try fitted(expression, attribute)
    }
  }

  private func fitted(_ expression: FormatExpression, _ attribute: Attribute) throws(NotSet) -> String {
    guard computes || plainColumn(expression, attribute) != nil else {
      throw NotSet(entityMapping: mapping.mapping.name, property: attribute.name, reason: "it isn't a copy")
    }
    return try selected(expression, attribute)
  }

  private func selected(_ expression: FormatExpression, _ attribute: Attribute) throws(NotSet) -> String {
    if let column = plainColumn(expression, attribute) { return column }
    do throws(NotSQL) {
      return AttributeFit(attribute, entity: mapping.destination).stored(try sql.typed(expression))
    } catch {
      throw NotSet(entityMapping: mapping.mapping.name, property: attribute.name, reason: error.reason)
    }
  }

  /// SQL for the column of a source attribute that has the type of the destination attribute.
  ///
  /// The marker byte of external storage is added or removed if the setting changes (docs/formats/core-data-sqlite.md
  /// 7.2).
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
