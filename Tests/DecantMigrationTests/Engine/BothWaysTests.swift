import CatalogueSupport
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps in place and anew have the same result") struct BothWaysTests {
  private static let stores = SharedFixtures.manifest.filter { $0.folder == "wire" }

  @Test(
    "for every genuine store and each version that it reaches by inferred steps",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"), arguments: GenuineWays.reached)
  func genuine(folder: String, store: String, versions: [String]) throws {
    let genuine = try GenuineStore(folder, store)
    var copied = 0
    for version in versions {
      let ways = try BothWays(genuine.job(to: version), in: genuine.folder.url)
      #expect(ways.differences == [], "\(version)")
      copied += ways.hasCopied ? 1 : 0
    }
    // The stores of moody can't be migrated in place: frameworks before 847 write uniqueness constraints into the
    // statements of tables.
    #expect(copied > 0 || folder == "moody")
  }

  @Test(
    "for every store of Wire", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: stores.filter { $0.store != "store2-101-0.wiredatabase" })
  func wire(store: SharedFixtures.Store) throws {
    let genuine = try GenuineStore(store)
    let ways = try BothWays(genuine.job(to: nil), in: genuine.folder.url)
    #expect(ways.differences == [])
  }

  /// Core Data has altered the store of Wire 2.101 in place, from version to version.
  @Test(
    "a step in place makes the tables, columns and types of a store that Core Data altered in place",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: ["store2-79-0.wiredatabase", "store2-88-0.wiredatabase", "store2-96-0.wiredatabase"])
  func altered(name: String) throws {
    let (genuine, own) = (try GenuineStore("wire", name), try GenuineStore("wire", "store2-101-0.wiredatabase"))
    var job = genuine.job(to: nil)
    job.inferredWay = .inPlace
    #expect(try Migration.run(job).steps.map(\.way) == ["in place"])
    let ours = try SourceStore(genuine.output.path, scratch: genuine.folder.path("ours"))
    let apples = try SourceStore(own.source.path, scratch: own.folder.path("apples"))
    func tables(_ store: SourceStore) -> Set<String> {
      SchemaForms.sorted(
        store.statements.values.filter { $0.hasPrefix("CREATE TABLE ") }.map { $0.replacing("\"", with: "") })
    }
    // One join table of Core Data's store was made for an older version and kept the order of its columns.
    let join = "CREATE TABLE Z_24TRUSTEDBYCLIENTS (Z_24TRUSTEDBYCLIENTS INTEGER, Z_24TRUSTEDCLIENTS INTEGER, "
    #expect(
      tables(ours).symmetricDifference(tables(apples)).sorted() == [
        join + "PRIMARY KEY (Z_24TRUSTEDBYCLIENTS, Z_24TRUSTEDCLIENTS) )",
        join + "PRIMARY KEY (Z_24TRUSTEDCLIENTS, Z_24TRUSTEDBYCLIENTS) )",
      ])
    // Core Data's store kept indexes of older versions (docs/formats/core-data-sqlite.md 9.2).
    let indexes = ours.statements.filter { $0.value.hasPrefix("CREATE INDEX ") }
    for (name, statement) in indexes {
      let genuine = apples.statements[name]?.replacing("\"", with: "")
      #expect(genuine == nil || genuine == statement, "\(name)")
    }
  }

  @Test("for random versions", arguments: MatrixSettings.isWhole ? 0..<8 : 0..<2)
  func chance(part: Int) throws {
    var copied = 0
    for seed in UInt64(part * 20)..<UInt64(part * 20 + 20) {
      let evolution = RandomEvolution(seed: seed)
      guard let shop = try evolution.shop(seed: seed) else { continue }
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
