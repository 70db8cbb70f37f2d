import DecantTestSupport
import FileAccess
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// A case: the modes of store and folder, whether both have the same group, the modes of the result's files and folder.
private typealias AccessCase = (store: UInt32, folder: UInt32, sameGroup: Bool, file: UInt32, result: UInt32)

@Suite("Who may read a result")
struct ResultAccessTests {
  private func mode(_ fixture: DaemonFixture, _ path: String) -> UInt32 {
    var status = stat()
    return lstat(fixture.folder.path("spool/\(path)"), &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test(
    "users who may read the dropped store may read the result, and only the owner may write",
    arguments: [
      (0o600, 0o600, 0o700), (0o644, 0o644, 0o755), (0o640, 0o640, 0o750), (0o666, 0o644, 0o755),
      (0o777, 0o644, 0o755),
    ] as [(mode_t, UInt32, UInt32)])
  func modes(dropped: mode_t, file: UInt32, folder: UInt32) throws {
    let fixture = try DaemonFixture()
    for (name, word) in [("good", "migrate"), ("bad", "other")] {
      try fixture.put(word, ".\(name)/A.sqlite")
      chmod(fixture.folder.path("spool/incoming/.\(name)/A.sqlite"), dropped)
      try fixture.folder.rename("spool/incoming/.\(name)", to: "spool/incoming/\(name)")
    }
    try fixture.start()
    #expect(
      try fixture.turn { try fixture.work().isEmpty && fixture.done().count + fixture.failed().count == 2 })
    let done = "done/good"
    #expect(mode(fixture, done) == folder)
    for name in ["A.sqlite", "report.html", "report.json", "report.txt"] {
      #expect(mode(fixture, "\(done)/\(name)") == file, "\(name)")
    }
    let failed = "failed/\(try #require(try fixture.failed().first))"
    #expect(mode(fixture, failed) == folder)
    for name in ["reason.json", "report.html", "report.txt"] {
      #expect(mode(fixture, "\(failed)/\(name)") == file, "\(name)")
    }
    // The original stays as it was dropped.
    #expect(mode(fixture, "\(failed)/original/A.sqlite") == UInt32(dropped))
  }

  @Test(
    "users who can't enter the dropped folder can't read the result",
    arguments: [
      (0o644, 0o755, true, 0o644, 0o755), (0o644, 0o700, true, 0o600, 0o700),
      (0o644, 0o750, true, 0o640, 0o750),
      (0o640, 0o750, true, 0o640, 0o750), (0o640, 0o750, false, 0o600, 0o700),
      (0o640, 0o755, false, 0o640, 0o750), (0o644, 0o705, true, 0o600, 0o700),
      (0o644, 0o705, false, 0o600, 0o700), (0o664, 0o2770, true, 0o640, 0o750),
    ] as [AccessCase])
  fileprivate func enclosed(test: AccessCase) throws {
    let fixture = try DaemonFixture()
    try fixture.put("migrate", ".d/A.sqlite")
    let path = fixture.folder.path("spool/incoming/.d")
    if !test.sameGroup {
      // A group of the test's user, or any group if the user is root.
      let groups = AccessCheck.current.groups.subtracting([getegid()])
      guard let other = geteuid() == 0 ? 4_321 : groups.first else { return }
      try #require(chown(path + "/A.sqlite", .max, other) == 0)
    }
    chmod(path + "/A.sqlite", test.store)
    chmod(path, test.folder)
    try fixture.folder.rename("spool/incoming/.d", to: "spool/incoming/d")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done() == ["d"] })
    #expect(mode(fixture, "done/d/A.sqlite") == test.file && mode(fixture, "done/d/report.json") == test.file)
    #expect(mode(fixture, "done/d") == test.result)
    #expect(mode(fixture, "done/d/original/A.sqlite") == test.store)
    let isOpen = (test.store | test.folder) & 0o022 != 0
    #expect(mode(fixture, "done/d/original") == (isOpen ? 0o700 : test.folder))
  }

  @Test(
    "linked external data has the rights of a result, and the original keeps its own",
    arguments: [(0o644, true), (0o664, false), (0o666, false), (0o600, false), (0o640, false)]
      as [(mode_t, Bool)])
  func linkedData(dropped: mode_t, staysLinked: Bool) throws {
    let way = try SpoolWay(.folder)
    let file = ".N_SUPPORT/_EXTERNAL_DATA/A"
    for (name, mode) in [("N.sqlite", 0o644), (file, dropped), ("", 0o755)] as [(String, mode_t)] {
      // Only the modes count in this test, without the access list of the folder.
      let file = open(way.folder.path("spool/incoming/F/" + name), O_RDONLY)
      #expect(AccessList(mode: UInt32(mode)).apply(to: file))
      close(file)
    }
    try way.claim()
    let job = try #require(try way.folder.names("spool/work").last)
    try way.folder.makeFolder("spool/work/\(job)/output/.N_SUPPORT/_EXTERNAL_DATA")
    let source = way.folder.path("spool/work/\(job)/source/" + file)
    #expect(link(source, way.folder.path("spool/work/\(job)/output/" + file)) == 0)
    try way.finish(.migrated)
    var (result, original) = (stat(), stat())
    #expect(stat(way.folder.path("spool/done/F/" + file), &result) == 0)
    #expect(stat(way.folder.path("spool/done/F/original/" + file), &original) == 0)
    #expect(result.st_mode & 0o7777 == 0o644 && original.st_mode & 0o7777 == dropped)
    #expect((result.st_ino == original.st_ino) == staysLinked)
    #expect(try way.folder.text("spool/done/F/" + file) == "data")
    #expect(
      result.st_mtim.tv_sec == original.st_mtim.tv_sec && result.st_mtim.tv_nsec == original.st_mtim.tv_nsec)
  }

  @Test("the folder of a loose original is open to those who may read the result")
  func looseOriginal() throws {
    let fixture = try DaemonFixture()
    for (name, word) in [("A.sqlite", "migrate"), ("B.sqlite", "other")] {
      try fixture.put(word, name)
      chmod(fixture.folder.path("spool/incoming/\(name)"), 0o644)
    }
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 && fixture.failed().count == 1 })
    let failed = try #require(try fixture.failed().first)
    #expect(mode(fixture, "done/A.sqlite/original") == 0o755)
    #expect(mode(fixture, "failed/\(failed)/original") == 0o755)
    #expect(mode(fixture, "failed/\(failed)/original/B.sqlite") == 0o644)
  }

  @Test("mode and group of the settings replace those of the drop, also after a reload; originals don't change")
  func settings() throws {
    let fixture = try DaemonFixture {
      $0.resultMode = 0o444
      $0.resultGroup = Account(.group, "\(getegid())")
    }
    let daemon = try fixture.start()
    func drop(_ name: String) throws {
      try fixture.put("migrate", ".d/A.sqlite")
      chmod(fixture.folder.path("spool/incoming/.d/A.sqlite"), 0o600)
      chmod(fixture.folder.path("spool/incoming/.d"), 0o700)
      if geteuid() == 0 { chown(fixture.folder.path("spool/incoming/.d/A.sqlite"), .max, 4_322) }
      try fixture.folder.rename("spool/incoming/.d", to: "spool/incoming/\(name)")
      #expect(try fixture.turn { try fixture.done().contains(name) })
    }
    try drop("d")
    #expect(mode(fixture, "done/d/A.sqlite") == 0o444 && mode(fixture, "done/d") == 0o755)
    #expect(mode(fixture, "done/d/original/A.sqlite") == 0o600 && mode(fixture, "done/d/original") == 0o700)
    var status = stat()
    #expect(stat(fixture.folder.path("spool/done/d/report.json"), &status) == 0 && status.st_gid == getegid())
    daemon.context.spool.resultRules = ResultRules()
    try drop("e")
    #expect(mode(fixture, "done/e/A.sqlite") == 0o600 && mode(fixture, "done/e") == 0o700)
  }

  @Test(
    "if the daemon is root, a result has the dropper's owner and group",
    .enabled(if: geteuid() == 0, "Skipped: only root can give files to another user."))
  func owner() throws {
    let fixture = try DaemonFixture()
    try fixture.put("migrate", ".d/A.sqlite")
    for path in [".d", ".d/A.sqlite"] { chown(fixture.folder.path("spool/incoming/\(path)"), 4_321, 4_322) }
    try fixture.folder.rename("spool/incoming/.d", to: "spool/incoming/d")
    try fixture.start()
    #expect(try fixture.turn { try fixture.done().count == 1 })
    for path in ["d", "d/A.sqlite", "d/report.json"] {
      var status = stat()
      #expect(lstat(fixture.folder.path("spool/done/\(path)"), &status) == 0)
      #expect(status.st_uid == 4_321 && status.st_gid == 4_322, "\(path)")
    }
  }
}
