import DecantModel
import DecantSQLite
import DecantStore
import DecantXMLStore
import Foundation
import Testing

/// The content of a store, read through the layout of its own model: objects with values, targets and order.
///
/// It shares no code with the engine, so that comparisons are independent.
struct LogicalStore {
  /// An object by its entity and primary key.
  struct Key: Hashable, Comparable, CustomStringConvertible {
    var entity: String
    var key: Int64

    static func < (left: Self, right: Self) -> Bool { (left.entity, left.key) < (right.entity, right.key) }
    var description: String { "\(entity)#\(key)" }
  }

  /// One object.
  ///
  /// Nil values and relationships without targets are left out.
  struct Object: Equatable {
    var saves: Int64?
    var attributes: [String: SQLiteValue] = [:]
    var toOne: [String: Key] = [:]
    /// The targets of each to-many relationship.
    ///
    /// They are in the stored order if it is ordered, otherwise sorted by key.
    var toMany: [String: [Key]] = [:]
  }

  let model: ManagedObjectModel
  let layout: StoreLayout
  let metadata: StoreMetadata
  let store: SourceStore
  private(set) var objects: [Key: Object] = [:]
  /// Faults of the store: dangling references, wrong entity columns, values in columns of other entities.
  private(set) var faults: [String] = []

  private var rows: [String: [Int64: (key: Key, columns: [String: SQLiteValue])]] = [:]

  init(_ url: URL, model: ManagedObjectModel, scratch: String) throws {
    self.model = model
    store = try SourceStore.open(url.path, scratch: scratch)
      .filled(as: model, version: "its own", scratch: scratch)
    metadata = store.metadata
    layout = try store.layout(for: model, version: "its own", acceptsCloudKit: true)
    for table in layout.tables { try readRows(of: table) }
    for table in layout.tables {
      for row in (rows[table.name] ?? [:]).values { read(row.key, row.columns, table) }
    }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
        try read(relationship, of: entity)
      }
    }
  }

  private mutating func readRows(of table: StoreLayout.Table) throws {
    let names = Dictionary(uniqueKeysWithValues: layout.entityNumbers.map { (Int64($0.value), $0.key) })
    let columns = table.columns.map { quoted($0.name) }.joined(separator: ", ")
    for row in try store.rows("SELECT \(columns) FROM \(quoted(table.name))") {
      let values = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row))
      let number = try #require(values["Z_PK"]?.integer)
      let entity = try #require(values["Z_ENT"]?.integer.flatMap { names[$0] })
      rows[table.name, default: [:]][number] = (Key(entity: entity, key: number), values)
    }
  }

  private mutating func read(_ key: Key, _ values: [String: SQLiteValue], _ table: StoreLayout.Table) {
    var object = Object(saves: values["Z_OPT"]?.integer)
    var own: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    for attribute in model.attributes(of: key.entity) where !attribute.isTransient {
      guard let column = layout.attributeColumn(attribute.name, of: key.entity) else { continue }
      own.insert(column)
      if let value = values[column], value != .null { object.attributes[attribute.name] = value }
    }
    for relationship in model.relationships(of: key.entity)
    where !relationship.isToMany && !relationship.isTransient {
      guard let column = layout.toOneColumn(relationship.name, of: key.entity) else { continue }
      own.insert(column)
      let order = layout.orderColumn(relationship.name, of: key.entity)
      if let order { own.insert(order) }
      let entityColumn = layout.toOneEntityColumn(relationship.name, of: key.entity)
      if let entityColumn { own.insert(entityColumn) }
      guard let number = values[column]?.integer else {
        if let order, values[order] != .null {
          faults.append("\(key).\(relationship.name): an order without a target")
        }
        if let entityColumn, values[entityColumn] != .null {
          faults.append("\(key).\(relationship.name): an entity without a target")
        }
        continue
      }
      guard let target = find(number, relationship.destinationEntityName) else {
        faults.append("\(key).\(relationship.name): no \(relationship.destinationEntityName)#\(number)")
        continue
      }
      object.toOne[relationship.name] = target
      if let entityColumn, values[entityColumn]?.integer.map(Int.init) != layout.entityNumbers[target.entity] {
        faults.append("\(key).\(relationship.name): its entity column doesn't say \(target.entity)")
      }
    }
    for column in table.columns where !own.contains(column.name) && values[column.name] != .null {
      if case .owner = column.role { continue }
      faults.append("\(key): a value in \(column.name)")
    }
    objects[key] = object
  }

  private func find(_ number: Int64, _ entity: String) -> Key? {
    guard let table = layout.table(of: entity), let row = rows[table.name]?[number],
      model.isKind(row.key.entity, of: entity)
    else { return nil }
    return row.key
  }

  /// Reads a to-many relationship from its place in the layout.
  private mutating func read(_ relationship: Relationship, of entity: Entity) throws {
    let name = relationship.name
    var pairs: [(owner: Int64, target: Int64, order: Int64?)] = []
    if let inverse = model.inverse(of: relationship), inverse.relationship.isToMany {
      let (join, isNaming) = try #require(layout.joinTable(name, of: entity.name))
      let (own, other) = isNaming ? (join.second, join.first) : (join.first, join.second)
      let order = own.orderColumn.map(quoted) ?? "NULL"
      for row in try store.rows(
        "SELECT \(quoted(other.column)), \(quoted(own.column)), \(order) FROM \(quoted(join.name))")
      {
        pairs.append((try #require(row[0].integer), try #require(row[1].integer), row[2].integer))
      }
    } else {
      let child: String
      let column: String?
      let order: String?
      if let inverse = model.inverse(of: relationship) {
        child = inverse.entity.name
        column = layout.toOneColumn(inverse.relationship.name, of: child)
        order = layout.orderColumn(inverse.relationship.name, of: child)
      } else {
        child = relationship.destinationEntityName
        column = layout.ownerColumn(name, of: entity.name)
        order = nil
      }
      let table = try #require(layout.table(of: child)).name
      for (number, row) in rows[table] ?? [:] {
        guard let owner = row.columns[try #require(column)]?.integer else { continue }
        pairs.append((owner, number, order.flatMap { row.columns[$0]?.integer }))
      }
    }
    pairs.sort {
      relationship.isOrdered ? ($0.order ?? 0, $0.target) < ($1.order ?? 0, $1.target) : $0.target < $1.target
    }
    for pair in pairs {
      guard let owner = find(pair.owner, entity.name),
        let target = find(pair.target, relationship.destinationEntityName)
      else {
        faults.append(
          "\(entity.name)#\(pair.owner).\(name): no \(relationship.destinationEntityName)#\(pair.target)")
        continue
      }
      if relationship.isOrdered, pair.order == nil { faults.append("\(owner).\(name): \(target) has no place") }
      objects[owner]?.toMany[name, default: []].append(target)
    }
  }

  /// One line for each object, such as `Note#1 title='a' tag=Tag#2 tags=[Tag#1 Tag#3]`.
  ///
  /// Ordered relationships have round brackets.
  var lines: [String] {
    objects.sorted { $0.key < $1.key }.map { key, object in
      let attributes = object.attributes.map { "\($0.key)=\(Self.text($0.value))" }
      let toOne = object.toOne.map { "\($0.key)=\($0.value)" }
      let toMany = object.toMany.map { name, targets in
        let list = targets.map(\.description).joined(separator: " ")
        return model.relationship(name, of: key.entity)?.isOrdered == true
          ? "\(name)=(\(list))" : "\(name)=[\(list)]"
      }
      return ([key.description] + attributes.sorted() + toOne.sorted() + toMany.sorted()).joined(separator: " ")
    }
  }

  static func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "'\(text)'"
    case .blob(let data): "x" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }
}
