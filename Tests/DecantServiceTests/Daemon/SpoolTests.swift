import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// Whole spools with the built daemon and its worker.
@Suite("Spools through the real daemon")
struct SpoolTests {
  private static let wire = SharedFixtures.manifest.filter { $0.folder == "wire" }

  @Test(
    "all 25 Wire stores are dropped together: 24 are migrated, the newest is delivered byte by byte",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func wireStores() throws {
    let daemon = try RealDaemon(catalogue: SharedFixtures.stores.appendingPathComponent("wire").path) {
      folder in
      for store in Self.wire {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.storeURL.path + suffix) {
          try FileManager.default.copyItem(
            atPath: store.storeURL.path + suffix, toPath: folder.path("spool/incoming/\(store.store)\(suffix)"))
        }
      }
    }
    #expect(Self.wire.count == 25)
    #expect(daemon.eventually { daemon.isThrough })
    #expect(try daemon.folder.names("spool/failed").isEmpty)
    var results: [MigrationReport.Result: Int] = [:]
    for store in Self.wire {
      let place = "spool/done/\(store.store)"
      let report = try JSONDecoder().decode(
        MigrationReport.self, from: Data(daemon.folder.text("\(place)/report.json").utf8))
      results[report.result, default: 0] += 1
      #expect(report.targetVersion == "zmessaging2.101.0")
      let untouched = report.result == .alreadyCurrent ? place : "\(place)/original"
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.storeURL.path + suffix) {
        #expect(
          FileManager.default.contentsEqual(
            atPath: store.storeURL.path + suffix,
            andPath: daemon.folder.path("\(untouched)/\(store.store)\(suffix)")),
          "\(store)\(suffix)")
      }
    }
    #expect(results == [.migrated: 24, .alreadyCurrent: 1])
    #expect(daemon.stop() == 0)
  }

  /// The drops, and the reasons in `reason.json`.
  private static let bad: [(name: String, content: Data, reason: String)] = [
    ("letter.sqlite", Data("This is a letter, not a store.".utf8), "not-sqlite"),
    ("empty.sqlite", Data(), "empty"),
    ("store.xml", Data("<?xml version=\"1.0\"?><!DOCTYPE database><database/>".utf8), "damaged"),
    ("store.binary", Data("bplist00".utf8) + Data(count: 100), "binary-store"),
    (
      "noise.sqlite", Data((0..<8192).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }),
      "encrypted"
    ),
    ("header.sqlite", Data("SQLite format 3\0".utf8), "truncated"),
    ("page.sqlite", Data("SQLite format 3\0".utf8) + Data(repeating: 0xff, count: 4080), "damaged"),
  ]

  @Test("each bad file goes to failed with reason and bytes, and the daemon continues")
  func badFiles() throws {
    let daemon = try RealDaemon { folder in
      try folder.write(
        DaemonFixture.model, to: "catalogue/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
    }
    for (name, content, _) in Self.bad {
      try daemon.folder.makeFolder("spool/incoming/.\(name)")
      try content.write(to: URL(fileURLWithPath: daemon.folder.path("spool/incoming/.\(name)/\(name)")))
      try daemon.folder.rename("spool/incoming/.\(name)", to: "spool/incoming/drop of \(name)")
    }
    // A request that isn't text, beside a file that isn't a store.
    try daemon.folder.makeFolder("spool/incoming/.asked")
    try Data("a store".utf8).write(
      to: URL(fileURLWithPath: daemon.folder.path("spool/incoming/.asked/S.sqlite")))
    let request = Data("{Na".utf8) + [0xfe] + Data(" \"to\"}".utf8)
    try request.write(
      to: URL(fileURLWithPath: daemon.folder.path("spool/incoming/.asked/S.sqlite.request.json5")))
    try daemon.folder.rename("spool/incoming/.asked", to: "spool/incoming/asked")
    #expect(
      daemon.eventually {
        daemon.isThrough && (try? daemon.folder.names("spool/failed").count) == Self.bad.count + 1
      })
    var found: [String: RefusalReason] = [:]
    for job in try daemon.folder.names("spool/failed") {
      let reason = try JSONDecoder().decode(
        RefusalReason.self, from: Data(daemon.folder.text("spool/failed/\(job)/reason.json").utf8))
      let name = (reason.file as NSString).lastPathComponent
      found[name] = reason
      let kept = try Data(
        contentsOf: URL(fileURLWithPath: daemon.folder.path("spool/failed/\(job)/\(reason.file)")))
      #expect(kept == (Self.bad.first { $0.name == name }?.content ?? Data("a store".utf8)), "\(name)")
    }
    for (name, _, reason) in Self.bad {
      #expect(found[name]?.reason.word == reason, "\(name): \(String(describing: found[name]))")
    }
    #expect(found["S.sqlite"]?.reason == .badRequest)
    #expect(daemon.isRunning)
    #expect(daemon.stop() == 0)
  }
}
