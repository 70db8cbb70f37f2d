import DecantCatalogue
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Expressions over sets, the same row by row, policies and hand-written SQL give the same result for each workload.
@Suite("Workloads on every way", .serialized) struct WorkloadMatrixTests {
  /// One cell of the matrix.
  private struct Cell: CustomStringConvertible {
    let workload: Workload
    let way: Workload.Way
    let chunkSize: Int
    let isKilled: Bool

    var description: String {
      "\(workload) by \(way), chunks of \(chunkSize)\(isKilled ? ", killed" : ""), DECANT_SEED=\(MatrixSettings.seed)"
    }
  }

  /// A chunk size larger than any workload, so that all objects are one chunk.
  private static let all = 1_000_000

  @Test(
    "all objects in one chunk and in twenty chunks, killed after every commit: equal to hand-written SQL",
    arguments: Workload.allCases)
  func longChunks(workload: Workload) throws {
    guard MatrixSettings.includes(workload) else { return }
    let sizes = [Self.all, MatrixSettings.longChunk]
    try compare(workload, objects: MatrixSettings.objects, sizes: sizes) { _, _ in 1 }
  }

  /// The workload `MatrixSettings.drawn` has 2,500 objects, the others have 600.
  ///
  /// With `DECANT_MATRIX=whole`, each has 20,000 objects, and runs are killed after every commit, except those of the
  /// way `rows`.
  @Test(
    "chunks of 7 rows and of 1 row, killed after a sample of commits: equal to hand-written SQL",
    arguments: Workload.allCases)
  func shortChunks(workload: Workload) throws {
    guard MatrixSettings.includes(workload) else { return }
    var dice = Dice(MatrixSettings.seed ^ 0x6b11)
    let isDrawn = workload == MatrixSettings.drawn
    let objects = isDrawn ? MatrixSettings.objects : MatrixSettings.fewObjects
    // `rows` takes minutes with that many objects.
    let ways = isDrawn && !MatrixSettings.isWhole ? [Workload.Way.sets, .policies] : Workload.Way.allCases
    try compare(workload, objects: objects, sizes: [7, 1], ways: ways) { way, size in
      // About eight kills, at least one.
      MatrixSettings.killsAlways(way) ? 1 : 1 + dice.below(objects / size / 4)
    }
  }

  /// Runs all ways with all chunk sizes, with and without kills.
  ///
  /// The keys in the results of `sets` and `rows` are equal. The keys in the results of `policies` may differ from
  /// these, but are equal in every run.
  ///
  /// - Parameters:
  ///   - sizes: The chunk sizes in rows.
  ///   - pause: The number of commits after which a run is killed, for a way and a chunk size.
  private func compare(
    _ workload: Workload, objects: Int, sizes: [Int], ways: [Workload.Way] = Workload.Way.allCases,
    pause: @escaping (Workload.Way, Int) -> Int
  ) throws {
    print("\(workload): DECANT_SEED=\(MatrixSettings.seed)")
    let shop = try WorkloadShop(workload, objects: objects)
    var first: [Workload.Way: WorkloadShop.Result] = [:]
    for way in ways {
      for size in sizes {
        for isKilled in [false, true] {
          let cell = Cell(workload: workload, way: way, chunkSize: size, isKilled: isKilled)
          let begun = ContinuousClock.now
          let (result, kills) = try run(shop, cell) { pause(way, size) }
          if MatrixSettings.isWhole { print("\(cell): \(kills) kills, \(ContinuousClock.now - begun)") }
          #expect(differences(shop.expected.objects, result.content) == [], "\(cell)")
          let whole = first[way] ?? result
          first[way] = whole
          #expect(differences(whole.store.tables, result.store.tables) == [], "\(cell)")
          #expect(differences(whole.associations.tables, result.associations.tables) == [], "\(cell)")
          #expect(whole.entities == result.entities, "\(cell)")
          let isEvery =
            objects == MatrixSettings.objects
            && (size >= MatrixSettings.longChunk || MatrixSettings.killsAlways(way))
          if isKilled { #expect(kills >= (isEvery ? result.chunks : 1), "\(cell): \(kills) kills") }
        }
      }
    }
    guard ways.contains(.rows) else { return }
    let (sets, rows) = (try #require(first[.sets]), try #require(first[.rows]))
    #expect(differences(sets.store.tables, rows.store.tables) == [], "\(workload)")
    // `mappings` has the way of each entity mapping. One way keeps shared objects in blocks, the other in runs.
    let forms = [sets, rows].map { $0.associations.without("mappings", "runs", "shared") }
    #expect(differences(forms[0], forms[1]) == [], "\(workload)")
    #expect(sets.pairs == rows.pairs && !sets.pairs.isEmpty, "\(workload)")
    #expect(sets.entities == rows.entities, "\(workload)")
  }

  private func run(
    _ shop: WorkloadShop, _ cell: Cell, pause: @escaping () -> Int
  ) throws -> (result: WorkloadShop.Result, kills: Int) {
    let job = shop.job(cell.way, chunkSize: cell.chunkSize, shelf: cell.isKilled ? CatalogueShelf() : nil)
    guard cell.isKilled else { return (try shop.result(of: job, try Migration.run(job)), 0) }
    // The job starts hundreds of thousands of times. Resuming doesn't need the check of the source's pages.
    var restarted = job
    if MatrixSettings.isWhole { restarted.checksPages = false }
    let killed = KilledJob(restarted, pause: pause)
    let report = try killed.run()
    return (try shop.result(of: job, report), killed.kills)
  }
}
