import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("Who may read a result")
struct ResultAccessTests {
  private func mode(_ fixture: DaemonFixture, _ path: String) -> UInt32 {
    var status = stat()
    return lstat(fixture.folder.path("spool/\(path)"), &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test(
    "those who may read the dropped store, and nobody else may write",
    arguments: [
      (0o600, 0o600, 0o700), (0o644, 0o644, 0o755), (0o640, 0o640, 0o750), (0o666, 0o664, 0o775),
      (0o777, 0o664, 0o775),
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
    "the dropper's group and owner, if the daemon is root",
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
