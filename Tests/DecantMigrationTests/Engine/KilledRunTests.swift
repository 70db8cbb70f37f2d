import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration

@Suite("A run that is killed") struct KilledRunTests {
  /// The built command, in the folder of the test bundle.
  private static let command: URL? = {
    let folder = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    return folder.map { $0.deletingLastPathComponent().appendingPathComponent("decant") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }()

  @Test(.enabled(if: command != nil, "the command “decant” is not built"))
  func aRunKilledAtAnyTimeGoesOnToTheSameResult() throws {
    let expected = try RichStore.workshop().migrate()
    let command = try #require(Self.command)
    let work = "out/Store.sqlite.decant"
    var kills = 0
    for delay in stride(from: 0.02, to: 0.5, by: 0.04) {
      let shop = try RichStore.workshop()
      try FileManager.default.createDirectory(
        at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
      let before = try FolderPicture(shop.source.deletingLastPathComponent())
      let process = Process()
      process.executableURL = command
      process.arguments = [
        "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
        "--chunk-size", "1",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      try process.run()
      Thread.sleep(forTimeInterval: delay)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try FolderPicture(shop.source.deletingLastPathComponent()) == before)
      if process.terminationReason == .uncaughtSignal {
        kills += 1
        var job = shop.job(chunkSize: 1)
        job.workFolder = shop.folder.url.appendingPathComponent(work)
        if !FileManager.default.fileExists(atPath: shop.output.path) {
          let report = try Migration.run(job)
          #expect(try shop.finished(report).store.objects == expected.store.objects, "after \(delay) s")
        }
      }
      #expect(try shop.read(shop.output, "V2").objects == expected.store.objects, "after \(delay) s")
    }
    #expect(kills > 0)
  }

  @Test(.enabled(if: command != nil, "the command “decant” is not built"))
  func aRunKilledAtAnyTimeKeepsTheSameAssociations() throws {
    let whole = try MappedFixture()
    _ = try Migration.run(whole.shop.job(chunkSize: 1))
    let expected = try PlainSQLite.dump(whole.associations).filter { !$0.hasPrefix("steps") }
    let command = try #require(Self.command)
    var kills = 0
    for delay in stride(from: 0.02, to: 0.5, by: 0.06) {
      let shop = try MappedFixture().shop
      try FileManager.default.createDirectory(
        at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
      let arguments = [
        "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
        "--chunk-size", "1", "--keep-associations",
      ]
      for isLast in [false, true] {
        let process = Process()
        process.executableURL = command
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
          $1
        }
        if isLast, FileManager.default.fileExists(atPath: shop.output.path) { continue }
        try process.run()
        if !isLast {
          Thread.sleep(forTimeInterval: delay)
          kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal { kills += 1 }
      }
      let found = try PlainSQLite.dump(KeptAssociations.place(beside: shop.output))
      #expect(found.filter { !$0.hasPrefix("steps") } == expected, "after \(delay) s")
      #expect(try shop.verify().isEqual, "after \(delay) s")
    }
    #expect(kills > 0)
  }
}
