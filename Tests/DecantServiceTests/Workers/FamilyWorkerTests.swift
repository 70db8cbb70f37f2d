import DecantMigration
import DecantModel
import DecantSQLite
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Families with workers of their own")
struct FamilyWorkerTests {
  /// A daemon whose family “Notas” names that worker.
  private func fixture(
    _ worker: String = "team.sh", change: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws -> DaemonFixture {
    let fixture = try DaemonFixture(change)
    try fixture.folder.write(
      "{ worker: '\(fixture.folder.path(worker))' }", to: "catalogue/Notas/family.json5")
    return fixture
  }

  @Test("a store goes to the worker that its family names; other stores stay with the daemon's own worker")
  func handedOver() throws {
    let fixture = try fixture()
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: Migration.decantVersion)
    try fixture.put("team-migrate", "A.sqlite")
    try fixture.put("migrate", "B.sqlite")
    try fixture.put("team-migrate", "C.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 3 })
    #expect(try fixture.log().filter { $0.contains("event=handed-over") }.count == 2)
    #expect(try fixture.failed().isEmpty)
  }

  @Test("a worker that hangs is ended after the limit; the store goes to failed unchanged, with the reason")
  func hanging() throws {
    let fixture = try fixture { configuration in
      configuration.hangSeconds = 0.3
      configuration.attempts = 2
      configuration.workers = 1
    }
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: Migration.decantVersion)
    try fixture.put("team-deaf", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed().count == 1 })
    let reason = try fixture.reason()
    #expect(reason.reason == .workerHung)
    #expect(
      reason.message.hasPrefix("In attempt 2 of 2 on “A.sqlite”: The worker (process "), "\(reason.message)")
    #expect(
      reason.message.hasSuffix(
        "no progress for 0 s at entity mapping “Nota” (pass “inferred”), create, and was ended."),
      "\(reason.message)")
    #expect(reason.advice.contains("hangSeconds in decantd.json5"), "\(reason.advice)")
    // The daemon's own worker has handed the store over, which is no attempt.
    #expect(reason.attempts == 2)
    #expect(reason.family == "Notas")
    #expect(reason.coreDataCode == 134_110)
    let job = try #require(try fixture.failed().first)
    #expect(try fixture.folder.text("spool/failed/\(job)/\(reason.file)") == "team-deaf\n")
  }

  @Test("a store whose worker lacks a policy class waits, and continues when the worker is built again")
  func rebuilt() throws {
    let fixture = try fixture()
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: Migration.decantVersion)
    try fixture.put("team-catalogue", "A.sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.log().contains { $0.contains("cause=catalogue") } })
    let text = try fixture.folder.text("team.sh")
    try fixture.folder.write(
      text.replacingOccurrences(of: "failure catalogue broken-catalogue", with: "report alreadyCurrent"),
      to: "team.sh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.path("team.sh"))
    #expect(try fixture.turn { try fixture.done().count == 1 })
    #expect(try fixture.failed().isEmpty)
  }

  @Test("a worker of another build is not used: its family's stores wait, others are migrated")
  func otherBuild() throws {
    let fixture = try fixture()
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: "0.0.1")
    try fixture.put("team-migrate", "A.sqlite")
    try fixture.put("migrate", "B.sqlite")
    try fixture.start()
    #expect(
      try fixture.turn {
        try fixture.done() == ["B.sqlite"]
          && fixture.log().contains { $0.contains("event=waiting") && $0.contains("built with Decant 0.0.1") }
      })
    #expect(try fixture.failed().isEmpty)
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: Migration.decantVersion)
    #expect(try fixture.turn { try fixture.done().count == 2 })
  }

  @Test("a worker that other users can write to is never started")
  func writable() throws {
    let fixture = try fixture()
    try FakeWorker.write(to: fixture.folder, named: "team.sh", team: true, version: Migration.decantVersion)
    let path = fixture.folder.path("team.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    try fixture.put("team-migrate", "A.sqlite")
    try fixture.start()
    #expect(
      try fixture.turn {
        try fixture.log().contains { $0.contains("event=waiting") && $0.contains("written to by others") }
      })
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    #expect(try fixture.turn { try fixture.done().count == 1 })
  }

  @Test("the built daemon and the built example migrate a store with the team's classes")
  func example() throws {
    let package = Repository.root
    let worker = Repository.program("notas-worker")
    let daemon = try RealDaemon { folder in
      try FileManager.default.copyItem(
        atPath: package.appendingPathComponent("config/examples/policies").path,
        toPath: folder.path("catalogue"))
      try folder.write("{ worker: '\(worker)' }", to: "catalogue/Notas/family.json5")
      try Self.makeStore(at: folder)
    }
    try daemon.drop("N.sqlite", as: "N.sqlite")
    #expect(daemon.eventually { daemon.isThrough })
    #expect(try daemon.folder.names("spool/done") == ["N.sqlite"])
    let database = try SQLiteDatabase(daemon.folder.path("spool/done/N.sqlite/N.sqlite"), mode: .immutable)
    #expect(try database.rows("SELECT ZNOMBRE FROM ZCATEGORIA") == [[.text("casa")]])
    #expect(try database.integer("SELECT count(*) FROM ZNOTA") == 3)
    #expect(daemon.stop() == 0)
  }

  private static func makeStore(at folder: TemporaryFolder) throws {
    let bundle = URL(fileURLWithPath: folder.path("catalogue/Notas/Notas.xcdatamodeld"))
    let model = try ModelBundle.read(at: bundle).version(named: "Notas").model
    let layout = try StoreLayout(model, framework: FrameworkVersion(1344))
    let store = try DestinationStore(at: folder.path("N.sqlite"), layout: layout)
    try store.database.execute(
      "INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZCATEGORIA) VALUES (1, 1, 1, 'casa'), (2, 1, 1, 'casa'), (3, 1, 1, NULL)"
    )
    for statement in try store.missingIndexes() { try store.database.execute(statement) }
    try store.finish(
      metadata: StoreMetadata(uuid: "0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D", entries: [:])
        .updated(for: layout.model, framework: layout.framework), maxima: [:], usesWriteAheadLog: false)
  }
}
