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

  /// More than any workload has, so that all objects are one chunk.
  private static let all = 1_000_000

  @Test(
    "chunks of a twentieth and in one, killed after every commit: equal to hand-written SQL",
    arguments: Workload.allCases)
  func longChunks(workload: Workload) throws {
    guard MatrixSettings.includes(workload) else { return }
    let sizes = [Self.all, MatrixSettings.longChunk]
    try compare(workload, objects: MatrixSettings.objects, sizes: sizes) { _, _ in 1 }
  }

  @Test(
    """
    Chunks of 7 and of 1, 2,500 objects of the workload that DECANT_SEED draws, 600 of the others, killed after \
    a sample of commits, or 20,000 of each and every commit with DECANT_MATRIX=whole: equal to hand-written SQL
    """, arguments: Workload.allCases)
  func shortChunks(workload: Workload) throws {
    guard MatrixSettings.includes(workload) else { return }
    var dice = Dice(MatrixSettings.seed ^ 0x6b11)
    let isDrawn = workload == MatrixSettings.drawn
    let objects = isDrawn ? MatrixSettings.objects : MatrixSettings.fewObjects
    // The third way takes minutes there.
    let ways = isDrawn && !MatrixSettings.isWhole ? [Workload.Way.sets, .policies] : Workload.Way.allCases
    try compare(workload, objects: objects, sizes: [7, 1], ways: ways) { way, size in
      // About eight kills, at least one.
      MatrixSettings.killsAlways(way) ? 1 : 1 + dice.below(objects / size / 4)
    }
  }

  /// Runs all ways in chunks of all sizes, with and without kills.
  ///
  /// The keys of sets and rows are the same; policies have others, the same in every run.
  ///
  /// - Parameters:
  ///   - sizes: The rows of a chunk.
  ///   - pause: The number of commits after which a run of that way in chunks of that size is killed.
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
    // The associations also have the way of each mapping; shared objects have blocks or runs.
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
    // Hundreds of thousands of starts; reading for page checks isn't needed for resuming.
    var restarted = job
    if MatrixSettings.isWhole { restarted.checksPages = false }
    let killed = KilledJob(restarted, pause: pause)
    let report = try killed.run()
    return (try shop.result(of: job, report), killed.kills)
  }
}
