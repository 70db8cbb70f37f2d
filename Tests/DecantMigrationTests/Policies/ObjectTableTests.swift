import DecantModel
import DecantPolicies
import Testing

@testable import DecantMigration
@testable import DecantRows

/// The objects of a context, of which a policy may keep very many.
@Suite struct ObjectTableTests {
  private static func object() -> ManagedObject {
    ManagedObject(entity: EntityDescription(Entity(name: "Note"), versionHash: nil, in: nil), insertInto: nil)
  }

  private static func key(_ number: Int) -> RowKey { RowKey(root: "Note", key: Int64(number)) }

  @Test("a release looks only at the objects that were used since the last release")
  func release() {
    let table = ObjectTable()
    var held = (0..<1_000).map { _ in Self.object() }
    for (number, object) in held.enumerated() { table.add(object, at: Self.key(number)) }
    table.add(Self.object(), at: Self.key(5_000))
    var looked = 0
    table.release { _ in looked += 1 }
    #expect(looked == 1_000)
    // The test didn't keep object 5,000.
    #expect(table[Self.key(5_000)] == nil)
    for batch in 0..<50 {
      held.append(Self.object())
      table.add(held[held.count - 1], at: Self.key(10_000 + batch))
      // An earlier key gives the same object as before.
      #expect(table[Self.key(batch)] === held[batch])
      looked = 0
      table.release { _ in looked += 1 }
      #expect(looked == 2)
    }
    held.removeLast(held.count - 10)
    #expect(table[Self.key(9)] === held[9])
    #expect(table[Self.key(10)] == nil && table[Self.key(10_049)] == nil)
  }
}
