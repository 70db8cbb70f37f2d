import Foundation
import PredicateFormat
import Testing

@testable import DecantStore

/// Random predicates and expressions over random rows give the same result in SQL and in the evaluator.
///
/// The environment's `DECANT_PREDICATES` is the number of predicates and of expressions, and `DECANT_SEED` the
/// random seed.
@Suite struct ExpressionPropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["DECANT_PREDICATES"].flatMap(Int.init) ?? 600
  private static let seed =
    environment["DECANT_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<(1 << 40))

  @Test func generatedPredicatesHoldInSQLWhereTheyHoldForTheEvaluator() throws {
    try run("predicates", seed: Self.seed) { store, generator, entity, tally in
      try store.condition(generator.predicate(depth: 3), of: entity, &tally)
    }
  }

  @Test func generatedExpressionsGiveInSQLWhatTheyGiveTheEvaluator() throws {
    try run("expressions", seed: Self.seed ^ 0x5eed) { store, generator, entity, tally in
      try store.value(generator.expression(generator.kind(), depth: 3), of: entity, &tally)
    }
  }

  private func run(
    _ what: String, seed: UInt64,
    _ work: (ExpressionStore, inout PredicateGenerator, String, inout ExpressionStore.Tally) throws -> Void
  ) throws {
    let entities = ["Note", "Author", "Folder", "Task", "Tag"]
    var tally = ExpressionStore.Tally()
    var done = 0
    // A new store after every 300, so that the rows vary as well.
    while done < Self.count {
      let store = try ExpressionStore(seed: seed &+ UInt64(done), rowsPerEntity: 5)
      for _ in 0..<min(300, Self.count - done) {
        let entity = entities[done % entities.count]
        var generator = PredicateGenerator(
          model: store.layout.model, entity: entity, seed: seed &+ UInt64(done) &* 7919)
        try work(store, &generator, entity, &tally)
        done += 1
      }
    }
    let refused = tally.refused.values.reduce(0, +)
    print(
      "\(what): seed \(seed), \(done) tried over \(tally.rows) rows, \(tally.errors) errors both ways, "
        + "\(tally.negatives) false or nil, \(refused) not SQL, \(tally.disagreements.count) disagree")
    if Self.environment["DECANT_SHOW"] != nil {
      for (reason, count) in tally.refused.sorted(by: { $0.value > $1.value }).prefix(20) {
        print("  \(count) × \(reason)")
      }
    }
    #expect(
      tally.disagreements.isEmpty, "seed \(seed):\n\(tally.disagreements.prefix(8).joined(separator: "\n"))")
    #expect(refused * 5 < done, "too many are not SQL: \(tally.refused)")
    #expect(tally.errors * 3 < tally.rows)
    #expect(tally.negatives * 6 > tally.rows && tally.negatives * 6 < tally.rows * 5)
  }
}
