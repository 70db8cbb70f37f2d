import CatalogueSupport
import DecantStore
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("An inferred step that changes a copy, and one that writes a new file") struct BothWaysTests {
  private static let stores = SharedFixtures.manifest.filter { $0.folder == "wire" }

  @Test(
    "agree on every genuine store and each version that it reaches by inference",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"), arguments: GenuineWays.reached)
  func genuine(folder: String, store: String, versions: [String]) throws {
    let genuine = try GenuineStore(folder, store)
    var copied = 0
    for version in versions {
      let ways = try BothWays(genuine.job(to: version), in: genuine.folder.url)
      #expect(ways.differences == [], "\(version)")
      copied += ways.hasCopied ? 1 : 0
    }
    // Frameworks before 847 write uniqueness constraints into the statements of tables.
    #expect(copied > 0 || folder == "moody")
  }

  @Test(
    "agree on every store of Wire", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: stores.filter { $0.store != "store2-101-0.wiredatabase" })
  func wire(store: SharedFixtures.Store) throws {
    let genuine = try GenuineStore(store)
    let ways = try BothWays(genuine.job(to: nil), in: genuine.folder.url)
    #expect(ways.differences == [])
  }

  @Test("agree on versions made by chance", arguments: MatrixSettings.isWhole ? 0..<8 : 0..<2)
  func chance(part: Int) throws {
    var copied = 0
    for seed in UInt64(part * 20)..<UInt64(part * 20 + 20) {
      let evolution = RandomEvolution(seed: seed)
      let shop = try Workshop(evolution.versions)
      try FileManager.default.createDirectory(
        at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
      do {
        _ = try SyntheticStore.write(
          model: try shop.model("V1"), framework: FrameworkVersion([641, 866, 1_344][Int(seed % 3)]),
          rows: 40, seed: seed, to: shop.source.path)
      } catch is LayoutError {
        continue
      } catch GeneratingError.noConcreteEntity {
        continue
      }
      var job = shop.job(chunkSize: [nil, 1, 7][Int(seed / 3 % 3)])
      job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
      let ways: BothWays
      do {
        ways = try BothWays(job, in: shop.folder.url)
      } catch let error as MigrationFailure where [.unsettledLayout, .notInferable].contains(error.reason) {
        continue
      }
      guard ways.anew.result == .migrated else { continue }
      #expect(
        ways.differences == [], "seed \(seed)\n\(evolution.versions.joined(separator: "\n→\n"))")
      copied += ways.hasCopied ? 1 : 0
    }
    #expect(copied > 4)
  }
}
