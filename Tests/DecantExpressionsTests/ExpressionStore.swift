import DecantModel
import DecantTestSupport
import Foundation
import PredicateFormat

@testable import DecantExpressions
@testable import DecantSQLite
@testable import DecantStore

/// A store in memory with random rows, for expressions by SQL and by the evaluator.
final class ExpressionStore {
  static let now = 700_000_000.25
  static let job = "a job"

  let layout: StoreLayout
  let database: SQLiteDatabase
  let rows: RowSource
  /// Primary keys by entity.
  private(set) var keys: [String: [Int64]] = [:]
  let functions: FunctionTable
  private let folder: TemporaryFolder

  init(seed: UInt64, rowsPerEntity: Int = 9, functions: FunctionTable = .library) throws {
    layout = try ExpressionModel.layout()
    database = try SQLiteDatabase("expressions", mode: .memory)
    rows = RowSource(database: database, layout: layout)
    self.functions = functions
    folder = try TemporaryFolder()
    try ExternalDataFunction.register(in: database, folder: folder.url.path)
    try ExpressionFunctions.register(in: database, now: Self.now, job: Self.job, functions: functions)
    for statement in try SchemaStatements(layout).all { try database.execute(statement) }
    var dice = Dice(seed)
    if rowsPerEntity > 0 { try fill(rowsPerEntity, &dice) }
  }

  private func fill(_ count: Int, _ dice: inout Dice) throws {
    var lastKeys: [String: Int64] = [:]
    for entity in layout.model.entities {
      let root = layout.model.root(of: entity.name)?.name ?? entity.name
      for _ in 0..<count {
        lastKeys[root, default: 0] += 1
        keys[entity.name, default: []].append(lastKeys[root] ?? 0)
      }
    }
    for entity in layout.model.entities {
      for key in keys[entity.name] ?? [] { try insert(entity.name, key, &dice) }
    }
    for join in layout.joinTables { try link(join, &dice) }
    // In a one-to-one relationship both ends have to agree.
    try database.execute(
      "UPDATE ZNOTE SET ZPREVIOUS = (SELECT min(p.Z_PK) FROM ZNOTE AS p WHERE p.ZNEXT = ZNOTE.Z_PK)")
  }

  /// The primary keys of the rows of an entity and of its subentities.
  func family(_ entity: String) -> [Int64] {
    layout.model.family(of: entity).flatMap { keys[$0.name] ?? [] }
  }

  private func insert(_ entity: String, _ key: Int64, _ dice: inout Dice) throws {
    guard let table = layout.table(of: entity) else { return }
    var names: [String] = []
    var values: [SQLiteValue] = []
    for column in table.columns {
      names.append(quoted(column.name))
      values.append(try value(of: column, entity, key, &dice))
    }
    let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try database.prepare("INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(marks))").run(
      values)
  }

  private func value(
    of column: StoreLayout.Column, _ entity: String, _ key: Int64, _ dice: inout Dice
  ) throws -> SQLiteValue {
    let model = layout.model
    switch column.role {
    case .key: return .integer(key)
    case .entity: return .integer(Int64(layout.entityNumbers[entity] ?? 0))
    case .saves: return .integer(1)
    case .attribute(let property):
      guard model.isKind(entity, of: property.entity), !dice.chance(15),
        let attribute = model.attribute(property.name, of: property.entity)
      else { return .null }
      return try SampleValues.value(of: attribute, folder, &dice)
    case .toOne(let property):
      guard model.isKind(entity, of: property.entity), !dice.chance(20),
        let relationship = model.relationship(property.name, of: property.entity)
      else { return .null }
      // Sometimes a reference to a missing row.
      return .integer(dice.chance(4) ? 9999 : dice.pick(family(relationship.destinationEntityName)))
    case .owner(let property): return dice.chance(30) ? .null : .integer(dice.pick(family(property.entity)))
    case .order: return dice.chance(10) ? .null : .integer(Int64(dice.below(8) * 1024))
    case .toOneEntity: return .null
    }
  }

  private func link(_ join: StoreLayout.JoinTable, _ dice: inout Dice) throws {
    guard
      let first = layout.model.relationship(join.first.relationship.name, of: join.first.relationship.entity),
      let second = layout.model.relationship(join.second.relationship.name, of: join.second.relationship.entity)
    else { return }
    for _ in 0..<16 {
      let orders = [join.first.orderColumn, join.second.orderColumn].compactMap { $0 }
      let columns = [join.first.column, join.second.column] + orders
      let values =
        [
          dice.pick(family(first.destinationEntityName)),
          dice.chance(4) ? 9999 : dice.pick(family(second.destinationEntityName)),
        ]
        + orders.map { _ in Int64(dice.below(6) * 1024) }
      try database.execute(
        "INSERT OR IGNORE INTO \(join.name) (\(columns.joined(separator: ", "))) "
          + "VALUES (\(values.map(String.init).joined(separator: ", ")))")
    }
  }
}

extension TemporaryFolder {
  /// Puts the bytes of an external value into a file and returns the column's value for it.
  func put(_ data: Data) throws -> Data {
    let name = UUID().uuidString
    try data.write(to: url.appendingPathComponent(name))
    return Data([2]) + Data(name.utf8) + Data([0])
  }
}
