internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

/// The property keys of one entity, with the statements that read their values from rows.
///
/// `@unchecked Sendable`: only the cached statements change, and `RowSource` uses them under its lock.
final class EntityRows: @unchecked Sendable {
  /// A statement that is prepared on first use.
  final class Cached {
    let text: String
    private var statement: SQLiteStatement?

    init(_ text: String) { self.text = text }

    func prepared(in database: SQLiteDatabase) throws(SQLiteError) -> SQLiteStatement {
      if let statement { return statement }
      let prepared = try database.prepare(text)
      statement = prepared
      return prepared
    }
  }

  /// A value that is read together with the row.
  final class Plain: Sendable {
    let column: AttributeColumn
    /// The value's index in the row.
    let place: Int

    init(_ column: AttributeColumn, place: Int) {
      self.column = column
      self.place = place
    }
  }

  enum Key {
    case plain(Plain)
    /// A value that is read separately.
    case large(AttributeColumn, Cached)
    case targets(Relationship, Cached)
    /// A composite attribute: the names of its elements, and their keys.
    case composite([(name: String, key: String)])
    /// A transient property: nil, or an empty collection.
    case absent(Value)
    case unknown
  }

  let entity: String
  let root: String
  let keys: [String: Key]
  let plainNames: NameTable
  let plain: ContiguousArray<Plain>
  /// The statement that reads all plain values of a row.
  let row: Cached
  /// The selected columns, the primary key first.
  let columns: [String]

  init(entity: String, layout: StoreLayout, schema: String) {
    self.entity = entity
    let model = layout.model
    root = model.root(of: entity)?.name ?? entity
    let table = "\(schema).\(quoted(layout.table(of: entity)?.name ?? entity))"
    var keys: [String: Key] = [:]
    var columns = ["Z_PK"]
    for attribute in model.attributes(of: entity) {
      if attribute.isTransient {
        keys[attribute.name] = .absent(.null)
      } else if let column = AttributeColumn(attribute, of: entity, in: layout) {
        if column.isLarge {
          let text = "SELECT \(column.selected) FROM \(table) WHERE Z_PK = ?1"
          keys[attribute.name] = .large(column, Cached(text))
        } else {
          keys[attribute.name] = .plain(Plain(column, place: columns.count))
          columns.append(column.selected)
        }
      } else {
        keys[attribute.name] = .unknown
      }
    }
    for attribute in model.attributes(of: entity).declared where attribute.type == .composite {
      let elements = model.elements(ofComposite: attribute.name, of: entity).compactMap { own in
        own.element.map { (name: $0.name, key: own.name) }
      }
      if !elements.isEmpty { keys[attribute.name] = .composite(elements) }
    }
    for relationship in model.relationships(of: entity) {
      keys[relationship.name] = Self.key(of: relationship, entity: entity, table: table, layout, schema)
    }
    self.keys = keys
    let plain = keys.compactMap { name, key in if case .plain(let plain) = key { (name, plain) } else { nil } }
    plainNames = NameTable(plain.map(\.0))
    self.plain = ContiguousArray(plain.map(\.1))
    self.columns = columns
    row = Cached("SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?1")
  }

  private static func key(
    of relationship: Relationship, entity: String, table: String, _ layout: StoreLayout, _ schema: String
  ) -> Key {
    let target = relationship.destinationEntityName
    if relationship.isTransient {
      return .absent(!relationship.isToMany ? .null : relationship.isOrdered ? .array([]) : .set([]))
    }
    guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout),
      let targets = layout.table(of: target)
    else { return .unknown }
    let from = "\(schema).\(quoted(targets.name)) AS t"
    let member = layout.membership(of: target, alias: "t").map { " AND \($0)" } ?? ""
    let (owner, key) = (quoted(storage.owner), quoted(storage.target))
    let text: String
    switch storage.kind {
    case .owners:
      text =
        "SELECT t.Z_PK, t.Z_ENT FROM \(table) AS o CROSS JOIN \(from) ON t.Z_PK = o.\(key)\(member) "
        + "WHERE o.Z_PK = ?1"
    case .targets:
      text =
        "SELECT t.Z_PK, t.Z_ENT FROM \(from) WHERE t.\(owner) = ?1\(member) "
        + "ORDER BY \(storage.order.map { "t.\(quoted($0)), " } ?? "")t.Z_PK"
    case .join:
      text =
        "SELECT t.Z_PK, t.Z_ENT FROM \(schema).\(quoted(storage.table)) AS j CROSS JOIN \(from) "
        + "ON t.Z_PK = j.\(key)\(member) WHERE j.\(owner) = ?1 "
        + "ORDER BY \(storage.order.map { "j.\(quoted($0)), " } ?? "")t.Z_PK"
    }
    return .targets(relationship, Cached(text))
  }
}
