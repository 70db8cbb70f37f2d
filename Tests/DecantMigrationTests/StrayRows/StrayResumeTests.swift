import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Rows of no entity: stops, kills and names") struct StrayResumeTests {
  /// Everything that a run delivers: rows of both stores, and the bytes of the list and of external files.
  private static func picture(_ shop: Workshop) throws -> [String] {
    let result = try shop.read(shop.output, "V2")
    #expect(result.faults == [])
    var picture = result.lines + (try StrayShop.asideRows(StrayShop.path(shop, ".sqlite")))
    picture.append(try shop.side().metadata.uuid)
    for (name, bytes) in try FolderPicture(shop.output.deletingLastPathComponent()).files.sorted(by: {
      $0.key < $1.key
    })
    where !name.hasSuffix(".sqlite") {
      picture.append("\(name): \(String(decoding: bytes, as: UTF8.self))")
    }
    return picture
  }

  private static func shop(mapped: Bool) throws -> Workshop {
    let shop = try StrayShop.shop()
    if mapped {
      try shop.map(
        "Step",
        """
        { source: "Folder", destination: "Folder" }, { source: "Leaf", destination: "Leaf" },
        { source: "Note", destination: "Note" }, { source: "Tag", destination: "Tag" }
        """, further: "")
    }
    return shop
  }

  private static func job(_ shop: Workshop) -> MigrationJob {
    var job = shop.job(chunkSize: 1)
    job.keepsAssociations = false
    return job
  }

  @Test("a run that is stopped anywhere continues to the same stores", arguments: [false, true])
  func stopped(mapped: Bool) throws {
    let whole = try Self.shop(mapped: mapped)
    let counter = Stopper(after: .max)
    let report = try Migration.run(Self.job(whole), shouldStop: counter.shouldStop)
    let expected = try Self.picture(whole)
    #expect(counter.calls > (mapped ? 20 : 10))
    for limit in stride(from: counter.calls - 1, to: 0, by: -3) {
      let shop = try Self.shop(mapped: mapped)
      let stopper = Stopper(after: limit)
      let failure = #expect(throws: MigrationFailure.self) {
        try Migration.run(Self.job(shop), shouldStop: stopper.shouldStop)
      }
      #expect(failure?.reason == .stopped, "after \(limit)")
      let resumed = try Migration.run(Self.job(shop))
      #expect(try Self.picture(shop) == expected, "after \(limit)")
      #expect(resumed.warnings == report.warnings && resumed.strayRows == report.strayRows, "after \(limit)")
    }
  }

  @Test("after a run that delivered the quarantine but not the store, the next run delivers both")
  func delivered() throws {
    let whole = try Self.shop(mapped: false)
    _ = try Migration.run(Self.job(whole))
    let expected = try Self.picture(whole)
    let shop = try Self.shop(mapped: false)
    // A folder in the store's place makes the last rename fail, after all other files are delivered.
    try FileManager.default.createDirectory(at: shop.output, withIntermediateDirectories: true)
    try shop.folder.write("x", to: "out/Store.sqlite/x")
    #expect(throws: MigrationFailure.self) { try Migration.run(Self.job(shop)) }
    #expect(FileManager.default.fileExists(atPath: StrayShop.path(shop, ".sqlite")))
    try FileManager.default.removeItem(at: shop.output)
    _ = try Migration.run(Self.job(shop))
    #expect(try Self.picture(shop) == expected)
  }

  @Test("work that began with another setting “strayRows” isn't continued") func modes() throws {
    func digests(_ family: String) throws -> [String] {
      let shop = try StrayShop.shop(family: family, finally: "DELETE FROM ZITEM WHERE Z_PK = 3")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: shop.source.path)
      let prepared = try JobPreparation(job: shop.job()).prepare()
      return try JobRun(prepared, shouldStop: { false }, progress: { _ in }) { _, _, _ in
        throw CancellationError()
      }
      .digests()
    }
    #expect(try digests("{}") == digests("{ strayRows: \"refuse\" }"))
    #expect(try digests("{}") != digests("{ strayRows: \"quarantine\" }"))
  }

  /// The built command, in the folder of the test bundle.
  private static let command: URL? = {
    let folder = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    return folder.map { $0.deletingLastPathComponent().appendingPathComponent("decant") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }()

  @Test(.enabled(if: command != nil, "the command “decant” is not built"))
  func aKilledCommandEndsWithTheSameStores() throws {
    let whole = try Self.shop(mapped: false)
    _ = try Migration.run(Self.job(whole))
    let expected = try Self.picture(whole)
    let command = try #require(Self.command)
    var kills = 0
    for delay in stride(from: 0.02, to: 0.5, by: 0.04) {
      let shop = try Self.shop(mapped: false)
      try FileManager.default.createDirectory(
        at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
      func start() throws -> Process {
        let process = Process()
        process.executableURL = command
        process.arguments = [
          "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
          "--chunk-size", "1", "--quiet", "--strict",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
          $1
        }
        try process.run()
        return process
      }
      let first = try start()
      Thread.sleep(forTimeInterval: delay)
      kill(first.processIdentifier, SIGKILL)
      first.waitUntilExit()
      if first.terminationReason == .uncaughtSignal {
        kills += 1
        if FileManager.default.fileExists(atPath: shop.output.path) {
          try? FileManager.default.removeItem(atPath: shop.output.path + ".decant")
        } else {
          let second = try start()
          second.waitUntilExit()
          #expect(second.terminationStatus == 0, "after \(delay) s")
        }
      }
      let found = try Self.picture(shop)
      #expect(found == expected, "after \(delay) s: \(Set(found).symmetricDifference(expected).sorted())")
    }
    #expect(kills > 0)
  }

  @Test("two stores whose names look alike each have a quarantine in one folder") func names() throws {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let folder = try TemporaryFolder("decant-stray-names")
    for (index, name) in names.enumerated() {
      let shop = try StrayShop.shop(
        finally: StrayShop.spoiled + "UPDATE ZTAG SET Z_OPT = \(index + 50) WHERE Z_PK = 4")
      var job = shop.job()
      job.output = URL(fileURLWithPath: folder.path("out") + "/\(name).sqlite")
      job.workFolder = URL(fileURLWithPath: folder.path("out/work"))
      let report = try Migration.run(job)
      #expect(Array((report.strayRows?.store ?? "").utf8) == Array("\(name).quarantine-source.sqlite".utf8))
    }
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(found.count == 10, "\(found)")
    for (index, name) in names.enumerated() {
      for file in [".sqlite", ".quarantine-source.sqlite", ".quarantine-source.json"] {
        #expect(found.count { Array($0.utf8) == Array((name + file).utf8) } == 1, "\(file)")
      }
      for file in ["_SUPPORT", ".quarantine-source_SUPPORT"] {
        #expect(found.count { Array($0.utf8) == Array((".\(name)" + file).utf8) } == 1, "\(file)")
      }
      let rows = try StrayShop.asideRows(folder.path("out") + "/\(name).quarantine-source.sqlite")
      #expect(rows.filter { $0.hasPrefix("ZTAG") } == ["ZTAG 4 'tag' \(index + 50) 2"])
    }
  }
}
