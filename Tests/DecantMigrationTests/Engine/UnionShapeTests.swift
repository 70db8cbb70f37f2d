import DecantStore
import DecantSynthesis
import Foundation
import Testing

@testable import DecantMigration

/// Random stores, and every combination in which two relationships without inverse can become each other's inverse.
@Suite("Inferred steps: missing inverses added, every combination") struct UnionShapeTests {
  /// The old and the new cardinality of a relationship.
  ///
  /// A to-many that becomes to-one is refused.
  enum Change: String, CaseIterable {
    case toOne = "->"
    case toMany = "->>"
    case becameToMany

    var before: String { self == .toMany ? "->>" : "->" }
    var after: String { self == .toOne ? "->" : "->>" }
  }

  static let seeds: [UInt64] = [1, 2, 3]

  private func check(_ before: String, _ after: String, rows: Int, seed: UInt64) throws {
    let shop = try Workshop(before, after)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try SyntheticStore.write(
      model: try shop.model("V1"), framework: FrameworkVersion([641, 866, 1_344][Int(seed % 3)]), rows: rows,
      seed: seed, to: shop.source.path)
    let plan = try Migration.plan(shop.job())
    let result = try shop.migrate(chunkSize: [100, 1, 7][Int(seed % 3)])
    #expect(plan.losses == result.report.losses)
    let comparison = MeaningComparison(source: result.source, result: result.store)
    #expect(comparison.differences == [], "\(before)\n→\n\(after)\n\(result.source.lines)")
    #expect(comparison.unions > 0)
    // The reported losses are exactly the missing pairs.
    for (entity, name) in [("A", "x"), ("B", "y"), ("A", "y")] {
      let objects = result.source.objects.filter { result.source.model.isKind($0.key.entity, of: entity) }
      var lost = 0
      for (key, object) in objects {
        let targets = (object.toMany[name] ?? []) + [object.toOne[name]].compactMap { $0 }
        let left = result.store.objects[key]
        let kept = Set((left?.toMany[name] ?? []) + [left?.toOne[name]].compactMap { $0 })
        lost += targets.filter { !kept.contains($0) }.count
      }
      let told = result.report.losses.filter { $0.entity == entity && $0.property == name }.map(\.values)
      #expect(told.reduce(0, +) == lost, "\(entity).\(name) \(before)\n→\n\(after)")
    }
  }

  @Test(arguments: Change.allCases, Change.allCases)
  func betweenTwoEntities(one: Change, two: Change) throws {
    for seed in Self.seeds {
      let order = two.after == "->>" && seed == 2 ? " ordered" : ""
      try check(
        "A\n x \(one.before) B\nB\n y \(two.before) A",
        "A\n x \(one.after) B.y\nB\n y \(two.after) A.x\(order)", rows: 30, seed: seed)
    }
  }

  @Test(arguments: Change.allCases, Change.allCases)
  func withinOneEntity(one: Change, two: Change) throws {
    for seed in Self.seeds {
      try check(
        "A\n x \(one.before) A\n y \(two.before) A", "A\n x \(one.after) A.y\n y \(two.after) A.x", rows: 20,
        seed: seed)
    }
  }

  /// With subentities, only these shapes have a known layout: no to-many relationship without inverse, and no
  /// many-to-many relationship.
  @Test(arguments: [(Change.toOne, Change.toOne), (.becameToMany, .toOne), (.toOne, .becameToMany)])
  func betweenFamilies(one: Change, two: Change) throws {
    for seed in Self.seeds {
      try check(
        "A\n x \(one.before) B\nC < A\nB\n y \(two.before) A\nD < B",
        "A\n x \(one.after) B.y\nC < A\nB\n y \(two.after) A.x\nD < B", rows: 40, seed: seed)
    }
  }
}
