import DecantTestSupport
import FileNames
import Foundation
import SpoolSupport
import Testing

@testable import DecantService
@testable import DecantSpool

/// Drops whose names have letters with two Unicode normal forms.
@Suite("Names in two normal forms, through the daemon")
struct FileNameDropTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  /// The names below a folder as bytes, each with the text of its file.
  private func files(_ fixture: DaemonFixture, _ path: String) throws -> [FileName: String] {
    var found: [FileName: String] = [:]
    var waiting = [""]
    while let below = waiting.popLast() {
      // Foundation's own enumeration of subfolders fails if a name begins with a combining mark.
      for entry in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path(path) + "/" + below)
      {
        let name = below.isEmpty ? entry : below + "/" + entry
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(
          atPath: fixture.folder.path(path) + "/" + name, isDirectory: &isFolder)
        if isFolder.boolValue {
          waiting.append(name)
        } else {
          found[FileName(name)] = try fixture.folder.text(path + "/" + name)
        }
      }
    }
    return found
  }

  private func blocked(_ fixture: DaemonFixture) -> [FileName: [Obstacle]] {
    _ = fixture.turn { fixture.daemon?.intake.blocked.reported.isEmpty == false }
    return fixture.daemon?.intake.blocked.reported ?? [:]
  }

  /// Runs a command from the log, as an administrator would.
  private func carryOut(_ command: String) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", command]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(command)")
  }

  @Test(
    "a folder whose store has a sibling in the other form is blocked; after the command the sibling is used",
    arguments: ["-wal", "-shm", "-journal"])
  func folderSiblings(suffix: String) throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "F/\(composed).sqlite")
    try fixture.put("commits", "F/\(decomposed).sqlite\(suffix)")
    try fixture.start()
    let obstacle = try #require(blocked(fixture)["F"]?.first)
    #expect(obstacle.message.contains("“cafe\\xcc\\x81.sqlite\(suffix)”"), "\(obstacle.message)")
    #expect(obstacle.message.contains("“caf\\xc3\\xa9.sqlite\(suffix)”"), "\(obstacle.message)")
    #expect(try fixture.done().isEmpty && fixture.work().isEmpty && fixture.failed().isEmpty)
    #expect(try fixture.log().contains { $0.contains("event=blocked drop=F") })
    try carryOut(obstacle.command)
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let files = try files(fixture, "spool/done/\(fixture.done().first ?? "")")
    #expect(files[FileName("\(composed).sqlite\(suffix)")] == "commits\n")
  }

  @Test("a folder of external data in the other form also blocks the drop")
  func folderSupport() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "F/\(composed).sqlite")
    try fixture.put("data", "F/.\(decomposed)_SUPPORT/_EXTERNAL_DATA/X")
    try fixture.start()
    let obstacle = try #require(blocked(fixture)["F"]?.first)
    #expect(obstacle.message.contains("“.cafe\\xcc\\x81_SUPPORT”"), "\(obstacle.message)")
    try carryOut(obstacle.command)
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let files = try files(fixture, "spool/done/\(fixture.done().first ?? "")")
    #expect(files[FileName(".\(composed)_SUPPORT/_EXTERNAL_DATA/X")] == "data\n")
  }

  @Test("if the right sibling exists, too, the command moves the other one away")
  func bothSiblings() throws {
    let fixture = try DaemonFixture()
    try fixture.put("current", "F/\(composed).sqlite")
    try fixture.put("commits", "F/\(composed).sqlite-wal")
    try fixture.put("others", "F/\(decomposed).sqlite-wal")
    try fixture.start()
    try carryOut(try #require(blocked(fixture)["F"]?.first).command)
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let files = try files(fixture, "spool/done/\(fixture.done().first ?? "")")
    #expect(files[FileName("\(composed).sqlite-wal")] == "commits\n")
    #expect(try self.files(fixture, "spool/incoming").values.sorted() == ["others\n"])
  }

  @Test("a sibling that comes into a folder after the scan: the drop is refused with the names and the command")
  func slippedIn() throws {
    let fixture = try DaemonFixture()
    let spool = try Spool(path: fixture.folder.path("spool"))
    try fixture.put("current", "F/\(composed).sqlite")
    try fixture.put("commits", "F/\(decomposed).sqlite-wal")
    let drop = Drop(name: "F", form: .folder, members: ["F"])
    guard case .claimed(_, let refusal?) = try Claim(spool: spool).take(drop, arrival: 1, at: 0) else {
      Issue.record("it isn't refused")
      return
    }
    #expect(refusal.reason == .otherNormalForm)
    #expect(refusal.message.contains("“cafe\\xcc\\x81.sqlite-wal”"))
    #expect(refusal.advice.contains("mv -n $'./cafe\\xcc\\x81.sqlite-wal'"), "\(refusal.advice)")
  }

  @Test(
    "loose stores in both forms are two stores, each with its own siblings, each delivered under its own name")
  func looseStores() throws {
    let fixture = try DaemonFixture()
    for name in [composed, decomposed] {
      try fixture.put("wal of \(name.utf8.count)", "\(name).sqlite-wal")
      try fixture.put("data of \(name.utf8.count)", ".\(name)_SUPPORT/_EXTERNAL_DATA/X")
      try fixture.put("{ priority: \(name.utf8.count) }", "\(name).sqlite.request.json5")
      try fixture.put("current", "\(name).sqlite")
    }
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 2 && fixture.work().isEmpty })
    for name in [composed, decomposed] {
      let files = try files(fixture, "spool/done/\(name).sqlite")
      #expect(files[FileName("\(name).sqlite")] == "current\n")
      #expect(files[FileName("\(name).sqlite-wal")] == "wal of \(name.utf8.count)\n")
      #expect(files[FileName(".\(name)_SUPPORT/_EXTERNAL_DATA/X")] == "data of \(name.utf8.count)\n")
      #expect(files[FileName("\(name).sqlite.request.json5")] == "{ priority: \(name.utf8.count) }\n")
    }
    #expect(try fixture.folder.names("spool/incoming").isEmpty)
  }

  @Test(
    "a loose store with a sibling, folder or request in the other form is blocked, and so is the sibling",
    arguments: [".sqlite-wal", ".sqlite-shm", ".sqlite-journal", ".sqlite.request.json5", ".request.json5"])
  func looseSiblings(ending: String) throws {
    let fixture = try DaemonFixture()
    try fixture.put("{}", decomposed + ending)
    try fixture.put("current", "\(composed).sqlite")
    try fixture.start()
    let blocked = blocked(fixture)
    let obstacle = try #require(blocked[FileName("\(composed).sqlite")]?.first)
    #expect(obstacle.message.contains("“cafe\\xcc\\x81\(ending)”"), "\(obstacle.message)")
    #expect(blocked[FileName(decomposed + ending)]?.map(\.command) == [obstacle.command])
    try carryOut(obstacle.command)
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let files = try files(fixture, "spool/done/\(composed).sqlite")
    #expect(files[FileName(composed + ending)] == "{}\n")
    #expect(try fixture.folder.names("spool/incoming").isEmpty)
  }

  @Test(
    "in a folder the request counts in either form", arguments: [".sqlite.request.json5", ".request.json5"])
  func folderRequest(ending: String) throws {
    let fixture = try DaemonFixture()
    let spool = try Spool(path: fixture.folder.path("spool"))
    try fixture.put("{ priority: 7 }", "F/" + decomposed + ending)
    try fixture.put("current", "F/\(composed).sqlite")
    let scan = try IncomingScan(of: spool.incoming, access: AccessCheck(user: 0, groups: []), now: 0)
    let sighting = try #require(scan.sightings.first)
    #expect(sighting.obstacles.isEmpty)
    let drop = try #require(sighting.drop)
    guard case .claimed(let record, nil) = try Claim(spool: spool).take(drop, arrival: 1, at: 0) else {
      Issue.record("it isn't taken")
      return
    }
    #expect(record.priority == 7)
  }

  @Test("a loose folder of external data in the other form blocks its store")
  func looseSupport() throws {
    let fixture = try DaemonFixture()
    try fixture.put("data", ".\(decomposed)_SUPPORT/_EXTERNAL_DATA/X")
    try fixture.put("current", "\(composed).sqlite")
    try fixture.start()
    try carryOut(try #require(blocked(fixture)[FileName("\(composed).sqlite")]?.first).command)
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    let files = try files(fixture, "spool/done/\(composed).sqlite")
    #expect(files[FileName(".\(composed)_SUPPORT/_EXTERNAL_DATA/X")] == "data\n")
  }

  @Test("two stores in one folder are refused, and the message shows that their names differ")
  func twoStores() throws {
    let fixture = try DaemonFixture()
    try fixture.put("a\u{1}", "F/\(composed).sqlite")
    try fixture.put("b\u{1}", "F/\(decomposed).sqlite")
    try fixture.start()
    #expect(try fixture.turn { try fixture.failed().count == 1 && fixture.work().isEmpty })
    let reason = try fixture.reason()
    #expect(reason.reason == .severalStores)
    #expect(reason.message.contains("“cafe\\xcc\\x81.sqlite”, “caf\u{E9}.sqlite”"), "\(reason.message)")
    #expect(try files(fixture, "spool/failed/\(fixture.failed()[0])/original").count == 2)
  }

  @Test(
    "a name keeps its bytes from drop to done, with any combining letters",
    arguments: [
      "cafe\u{301}.sqlite", "\u{301}x.sqlite", "x.\u{301}sqlite", "\u{200D}x.sqlite", "x\u{600}.sqlite", "x.",
      "K.sqlite",
      "\u{212A}.sqlite", "o'\u{301}x.sqlite", "x\u{301}", "a\u{323}\u{307}.db",
    ])
  func bytes(name: String) throws {
    let fixture = try DaemonFixture()
    let store = FileName(name)
    try fixture.put("wal", name + "-wal")
    try fixture.put("data", StoreNames.support(store).text + "/_EXTERNAL_DATA/X")
    try fixture.put("migrate", name)
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.work().isEmpty })
    #expect(try fixture.done().map { FileName($0) } == [store])
    let files = try files(fixture, "spool/done/" + name)
    #expect(files[store] == "migrated\nmigrate\n")
    #expect(files[FileName("original/" + name + "-wal")] == "wal\n")
    #expect(files[FileName("original/" + StoreNames.support(store).text + "/_EXTERNAL_DATA/X")] == "data\n")
  }

  @Test("log, status, journal and report files show each name in one form, and different names differently")
  func shown() throws {
    let fixture = try DaemonFixture { $0.retrySeconds = 60 }
    for name in [composed, decomposed] {
      try fixture.put("retry", "\(name).drop/\(name).sqlite")
      try fixture.put("refuse", "\(name).bad/\(name).sqlite")
    }
    try fixture.start()
    #expect(
      try fixture.turn {
        try fixture.failed().count == 2 && fixture.daemon?.dispatcher.queue.waiting.count == 2
      })
    let shown = [composed, "cafe\\xcc\\x81"]
    let daemon = try #require(fixture.daemon)
    daemon.publish(at: daemon.context.clock.steady())
    #expect(
      Set(daemon.health.status.waiting.map { FileName($0.store) })
        == Set(shown.map { FileName($0 + ".sqlite") }))
    let log = try fixture.log()
    #expect(log.contains { $0.contains("drop=\(composed).drop store=\(composed).sqlite ") })
    #expect(log.contains { $0.contains(#"drop="cafe\\xcc\\x81.drop" store="cafe\\xcc\\x81.sqlite" "#) })
    #expect(!log.contains { $0.unicodeScalars.contains("\u{301}") })
    let journal = try fixture.journal()
    for name in shown {
      #expect(journal.contains("Took “\(name).drop” as job"), "\(journal)")
      #expect(journal.contains("(“\(name).sqlite”) was refused"), "\(journal)")
    }
    #expect(!journal.unicodeScalars.contains("\u{301}"))
    for job in try fixture.failed() {
      let reason = try JSONDecoder().decode(
        RefusalReason.self, from: Data(fixture.folder.text("spool/failed/\(job)/reason.json").utf8))
      let text = try fixture.folder.text("spool/failed/\(job)/report.txt")
      #expect(shown.contains { FileName($0 + ".bad") == FileName(reason.drop) }, "\(reason.drop)")
      #expect(
        text.contains("drop      \(reason.drop)\n") && text.contains("Refused: \(reason.store)\n"), "\(text)")
      // Programs can open the file by the unchanged name.
      #expect(FileManager.default.fileExists(atPath: fixture.folder.path("spool/failed/\(job)/\(reason.file)")))
    }
  }

  @Test("a later file is reported with the store of the same bytes")
  func late() throws {
    let folder = try TemporaryFolder.short()
    let spool = try Spool(path: folder.path("spool"))
    for name in [composed, decomposed] { try folder.write("x", to: "spool/incoming/\(name).sqlite-wal") }
    let taken = FileName("\(composed).sqlite")
    let scan = try IncomingScan(
      of: spool.incoming, access: AccessCheck(user: 0, groups: []), now: 0, takenAs: { $0 == taken ? "J" : nil }
    )
    for sighting in scan.sightings {
      let isLate = sighting.obstacles.first?.message.contains("taken as job J") == true
      #expect(isLate == (sighting.name == FileName("\(composed).sqlite-wal")), "\(sighting)")
    }
    #expect(scan.sightings.count == 2)
  }

  @Test("a scan of thousands of loose stores with names in two forms is fast")
  func many() throws {
    let folder = try TemporaryFolder.short(inMemory: true)
    let spool = try Spool(path: folder.path("spool"))
    for index in 0..<3000 { try folder.write("x", to: "spool/incoming/\(decomposed)\(index).sqlite") }
    let scan = try IncomingScan(of: spool.incoming, access: AccessCheck(user: 0, groups: []), now: 0)
    #expect(scan.sightings.count == 3000)
    #expect(scan.sightings.allSatisfy { $0.drop != nil && $0.obstacles.isEmpty })
  }
}
