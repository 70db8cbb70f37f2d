import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps between random versions") struct RandomEvolutionTests {
  @Test(arguments: [0, 1, 2, 3])
  func everythingThatLivesInBothVersionsIsKept(part: Int) throws {
    var migrated = 0
    for seed in UInt64(part * 20)..<UInt64(part * 20 + 20) {
      let evolution = RandomEvolution(seed: seed)
      guard let shop = try evolution.shop(seed: seed) else { continue }
      let report: MigrationReport
      do {
        report = try Migration.run(shop.job(chunkSize: [nil, 1, 7][Int(seed / 3 % 3)]))
      } catch {
        #expect(
          [.unsettledLayout, .notInferable].contains(error.reason),
          "seed \(seed): \(error)\n\(evolution.versions.joined(separator: "\n→\n"))")
        continue
      }
      guard report.result == .migrated else { continue }
      migrated += 1
      let result = try shop.finished(report)
      let comparison = MeaningComparison(source: result.source, result: result.store)
      #expect(
        comparison.differences == [],
        "seed \(seed)\n\(evolution.versions.joined(separator: "\n→\n"))\n\(result.losses)\n\(report.warnings)")
    }
    #expect(migrated > 4)
  }
}
