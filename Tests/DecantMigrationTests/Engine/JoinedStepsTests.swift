import DecantCatalogue
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Consecutive inferred steps as one step") struct JoinedStepsTests {
  /// The number of steps of a path over all versions if steps are joined, and the differences from the result of single
  /// steps.
  private static func joined(_ job: MigrationJob, in folder: URL) throws -> (steps: Int, differences: [String])
  {
    var reports: [MigrationReport] = []
    var stores: [SourceStore] = []
    for joins in [false, true] {
      var job = job
      let place = folder.appendingPathComponent("joins-\(joins)-\(UUID().uuidString)")
      job.output = place.appendingPathComponent(job.output.lastPathComponent)
      job.workFolder = place.appendingPathComponent("work")
      job.joinsSteps = joins
      reports.append(try Migration.run(job))
      stores.append(try SourceStore(job.output.path, scratch: place.appendingPathComponent("scratch").path))
    }
    var differences = try BothWays.differences(stores[0], stores[1])
    let lost = reports.map { $0.losses.filter { $0.values > 0 }.map(Migrated.words).sorted() }
    if lost[0] != lost[1] { differences.append("losses: \(lost)") }
    return (reports[1].steps.count, differences)
  }

  private static func path(_ versions: [String]) -> String {
    "{ path: [\(versions.map { "\"\($0)\"" }.joined(separator: ", "))] }"
  }

  private static func small(_ versions: String..., rows: String) throws -> (steps: Int, differences: [String]) {
    let shop = try Workshop(
      versions, family: path(versions.indices.map { "V\($0 + 1)" }))
    try shop.makeStore(rows)
    return try joined(shop.job(), in: shop.folder.url)
  }

  private static let note = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7), (2, 1, 1, NULL)"

  @Test("additions and renames of three steps are one step")
  func simple() throws {
    let result = try Self.small(
      "Note\n a Int32?", "Note\n b Int32? was a\n flag Bool = YES",
      "Memo was Note\n b Int32?\n flag Bool = YES",
      "Memo\n c Int64? was b\n flag Bool = YES\n d String?", rows: Self.note)
    #expect(result.steps == 1 && result.differences == [])
  }

  @Test(
    "steps stay separate if the intermediate version leaves a default or loses a value",
    arguments: [
      // The default of the intermediate version stays.
      ["Note\n a Int32?", "Note\n a Int32?\n b Int32 = 5", "Note\n a Int32?\n b Int32 = 6\n z String?"],
      ["Note\n a Int32?", "Note\n a Int32 = 5", "Note\n a Int32?\n z String?"],
      ["Note\n a Int32?", "Note\n a Int32 = 5", "Note\n a Int32 = 6\n z String?"],
      // The intermediate version loses values that a joined step would keep.
      ["Note\n a Int32?", "Note\n b Int32?", "Note\n a Int32?\n z String?"],
      ["Note\n a Int64?", "Note\n a Int16?", "Note\n a Int64?\n z String?"],
      // The loss has the names of the intermediate version.
      ["Note\n a Int32?", "Note\n b Int32? was a", "Note\n c Int32?"],
    ])
  func separate(versions: [String]) throws {
    let shop = try Workshop(versions, family: Self.path(["V1", "V2", "V3"]))
    try shop.makeStore(Self.note)
    let result = try Self.joined(shop.job(), in: shop.folder.url)
    #expect(result.steps == 2 && result.differences == [])
  }

  @Test("an order that the intermediate version doesn't have isn't kept")
  func order() throws {
    let models = ["ordered", "", "ordered"].map {
      "A\n bs ->> B.as \($0)\nB\n as ->> A.bs"
    }.enumerated().map { "\($1)\n z\($0) String?" }
    let shop = try Workshop(models, family: Self.path(["V1", "V2", "V3"]))
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO Z_1BS (Z_1AS, Z_2BS, Z_FOK_2BS) VALUES (1, 1, 2048), (1, 2, 1024);
      """)
    let result = try Self.joined(shop.job(), in: shop.folder.url)
    #expect(result.steps == 2 && result.differences == [])
  }

  @Test(
    "steps stay separate if binary values move from files to rows and back, or from rows to files and back",
    arguments: [["external", "", "external"], ["", "external", ""]])
  func places(words: [String]) throws {
    let models = words.enumerated().map { "Note\n a Binary? \($1)\n z\($0) String?" }
    let shop = try Workshop(models, family: Self.path(["V1", "V2", "V3"]))
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, x'010203'), (2, 1, 1, 'text')")
    let result = try Self.joined(shop.job(), in: shop.folder.url)
    #expect(result.steps == 2 && result.differences == [])
  }

  @Test("steps stay separate if the intermediate version puts two hierarchies into one table")
  func highestKey() throws {
    let models = ["B\n a Int32?", "A\nB < A\n a Int32?", "A\nB\n a Int32?\n z String?"]
    let shop = try Workshop(models, family: Self.path(["V1", "V2", "V3"]))
    try shop.makeStore(marks: ["B": 100], "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (4, 1, 1, 7)")
    let result = try Self.joined(shop.job(), in: shop.folder.url)
    #expect(result.steps == 2 && result.differences == [])
  }

  @Test("steps stay separate if the intermediate version computes a derived attribute")
  func derived() throws {
    let models = ["A\n bs ->> B.a", "A\n bs ->> B.a\n n Int64? derived bs.@count"].map {
      $0 + "\nB\n a -> A.bs"
    }
    let shop = try Workshop(models + ["\(models[1])\n z String?"], family: Self.path(["V1", "V2", "V3"]))
    try shop.makeStore("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    #expect(try Migration.plan(shop.job()).steps.count == 2)
  }

  private static let unique = [
    "Note\n a Int32?", "Note\n a Int32?\n unique a", "Note\n b Int32? was a\n unique b",
    "Note\n b Int32? was a",
    "Note\n b Int32? was a\n z Int32?\n unique b,z",
  ]

  @Test(
    "duplicates that the intermediate version refuses are refused",
    arguments: [("", 3), ("", 4), ("", 2), (", validation: \"quarantine\"", 2)])
  func duplicates(setting: String, last: Int) throws {
    let versions = [Self.unique[0], Self.unique[1], Self.unique[last]]
    let shop = try Workshop(versions, family: "{ path: [\"V1\", \"V2\", \"V3\"]\(setting) }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7), (2, 1, 1, 7)")
    #expect(throws: MigrationFailure.self) { try Migration.run(shop.job()) }
  }

  @Test("steps with a uniqueness constraint that stays are one step")
  func staysUnique() throws {
    let result = try Self.small(Self.unique[0], Self.unique[1], Self.unique[2], rows: Self.note)
    #expect(result.steps == 1 && result.differences == [])
  }

  @Test("for random versions, joined and single steps agree", arguments: MatrixSettings.isWhole ? 0..<8 : 0..<2)
  func chance(part: Int) throws {
    var joined = 0
    for seed in UInt64(part * 20)..<UInt64(part * 20 + 20) {
      let evolution = RandomEvolution(seed: seed, versions: 4)
      guard let shop = try evolution.shop(seed: seed, family: Self.path(["V1", "V2", "V3", "V4"])) else {
        continue
      }
      var job = shop.job()
      job.claimedAt = Date(timeIntervalSince1970: 1_700_000_000)
      do {
        let result = try Self.joined(job, in: shop.folder.url)
        #expect(
          result.differences == [], "seed \(seed)\n\(evolution.versions.joined(separator: "\n→\n"))")
        joined += result.steps < 3 ? 1 : 0
      } catch let error as MigrationFailure where [.unsettledLayout, .notInferable].contains(error.reason) {
        continue
      }
    }
    #expect(joined > 2)
  }

  @Test(
    "for genuine stores, joined and single steps over all versions agree",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"),
    arguments: [
      ("ddg-bookmarks", "Bookmarks_V1.sqlite"), ("bergier", "Example_v1.0.0.sqlite"),
    ]
      + (MatrixSettings.isWhole
        ? [("artsy-folio", "ArtsyPartner_1.3.5.sqlite"), ("wire", "store2-79-0.wiredatabase")] : []))
  func genuine(folder: String, store: String) throws {
    let genuine = try GenuineStore(folder, store)
    let catalogue = genuine.folder.url.appendingPathComponent("models/\(folder)")
    try FileManager.default.createDirectory(
      at: catalogue.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: genuine.store.folderURL, to: catalogue)
    var job = genuine.job(to: nil)
    job.catalogue = catalogue.deletingLastPathComponent()
    let plan = try Migration.plan(job)
    let family = try #require(try Catalogue.read(at: job.catalogue).families.first)
    let names = family.versions.map(\.name).filter { $0 != plan.sourceVersion && $0 != plan.targetVersion }
    var joined = 0
    for name in names {
      try genuine.folder.write(
        Self.path([plan.sourceVersion, name, plan.targetVersion]), to: "models/\(folder)/family.json5")
      do {
        let result = try Self.joined(job, in: genuine.folder.url)
        #expect(result.differences == [], "over \(name)")
        joined += result.steps == 1 ? 1 : 0
      } catch let error as MigrationFailure {
        // A version on the path may not be reached by an inferred step.
        #expect([.notInferable, .unsettledLayout, .badMappingModel].contains(error.reason), "\(error)")
      }
    }
    #expect(joined > 0)
  }
}
