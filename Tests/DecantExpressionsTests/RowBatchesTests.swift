import DecantModel
import PredicateFormat
import Testing

@testable import DecantExpressions
@testable import DecantSQLite
@testable import DecantStore

/// Rows that are read ahead in batches.
@Suite struct RowBatchesTests {
  /// The batches of a store in memory with one entity, whose first attribute `a0` is each row's key.
  private func batches(attributes: Int, rows: Int, limit: Int) throws -> RowBatches {
    let entity = Entity(
      name: "Wide",
      attributes: (0..<attributes).map { Attribute(name: "a\($0)", type: .integer64, isOptional: true) })
    let layout = try StoreLayout(ManagedObjectModel(entities: [entity]), framework: FrameworkVersion(1344))
    let database = try SQLiteDatabase("batches", mode: .memory)
    for statement in try SchemaStatements(layout).all { try database.execute(statement) }
    let insert = try database.prepare("INSERT INTO ZWIDE (Z_PK, Z_ENT, Z_OPT, ZA0) VALUES (?1, 1, 1, ?1)")
    for key in 1...rows { try insert.run([.integer(Int64(key))]) }
    return try RowSource(database: database, layout: layout).batches(
      of: "Wide", table: "ZWIDE", where: "TRUE", flag: "s.Z_PK % 2", limit: limit)
  }

  @Test("every row is read once and in order, with any batch size", arguments: [1, 7, 100, 101, 4000])
  func order(limit: Int) throws {
    let batches = try batches(attributes: 3, rows: 100, limit: limit)
    var keys: [Int64] = []
    var isLast = false
    while !isLast {
      let batch = try batches.next(after: keys.last ?? 0, upTo: 1000)
      #expect(batch.count <= limit)
      for row in 0..<batch.count {
        keys.append(batch.key(row))
        #expect(batch.flag(row) == !batch.key(row).isMultiple(of: 2))
        #expect(try batch.value(forKey: "a0", row) == .integer(batch.key(row)))
      }
      isLast = batch.isLast
    }
    #expect(keys == Array(1...100))
  }

  @Test("an entity with very many attributes has smaller batches")
  func wide() throws {
    let batches = try batches(attributes: 500, rows: 600, limit: 4000)
    let first = try batches.next(after: 0, upTo: 1000)
    #expect(first.count < 600 && first.count > 100)
    #expect(!first.isLast)
    let second = try batches.next(after: first.key(first.count - 1), upTo: 1000)
    #expect(second.key(0) == Int64(first.count + 1))
    #expect(first.count + second.count == 600 && second.isLast)
  }
}
