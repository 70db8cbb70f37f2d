import DecantTestSupport
import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Notices beside drops that can't be taken")
struct NoticeTests {
  private func incoming(_ fixture: DaemonFixture) throws -> [String] {
    try fixture.folder.names("spool/incoming").sorted()
  }

  @Test("a drop that can't be taken gets a notice that everyone can read; it is removed with its reason")
  func lifetime() throws {
    let fixture = try DaemonFixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path("spool/incoming/link"), withDestinationPath: "/etc/hostname")
    try fixture.start()
    #expect(try fixture.turn { try incoming(fixture) == ["link", "link.not-taken.txt"] })
    let text = try fixture.folder.text("spool/incoming/link.not-taken.txt")
    #expect(text.hasPrefix("Decant hasn't taken this drop: “link”.\n"), "\(text)")
    #expect(text.contains("is a symbolic link") && text.contains("\nFix it with:\n  rm "), "\(text)")
    var status = stat()
    #expect(stat(fixture.folder.path("spool/incoming/link.not-taken.txt"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644)
    // The notice is no drop itself, and isn't written again.
    let inode = status.st_ino
    fixture.daemon?.intake.schedule.forcePeriodic()
    fixture.daemon?.turn(timeout: 0)
    #expect(
      stat(fixture.folder.path("spool/incoming/link.not-taken.txt"), &status) == 0 && status.st_ino == inode)
    #expect(fixture.daemon?.intake.blocked.count == 1)
    try FileManager.default.removeItem(atPath: fixture.folder.path("spool/incoming/link"))
    #expect(try fixture.turn { try incoming(fixture).isEmpty })
  }

  @Test("a notice of an earlier daemon is removed, and a drop with the name of a notice stays")
  func leftovers() throws {
    let fixture = try DaemonFixture()
    try fixture.folder.write(
      "Decant hasn't taken this drop: “old”.\n", to: "spool/incoming/old.not-taken.txt")
    try fixture.folder.write("precious", to: "spool/incoming/mine.not-taken.txt")
    try fixture.start()
    #expect(
      try fixture.turn {
        try incoming(fixture) == ["mine.not-taken.txt", "mine.not-taken.txt.not-taken.txt"]
          || !fixture.failed().isEmpty
      })
    let names = try incoming(fixture)
    #expect(!names.contains("old.not-taken.txt"))
    // The file exists byte by byte, in incoming or as a refused store.
    let refused = try fixture.failed().map { "spool/failed/\($0)/original/mine.not-taken.txt" }
    let place = names.contains("mine.not-taken.txt") ? "spool/incoming/mine.not-taken.txt" : refused.first
    #expect(try fixture.folder.text(try #require(place)) == "precious")
  }

  @Test("a link in place of a notice is not followed and stays")
  func links() throws {
    let fixture = try DaemonFixture()
    try fixture.folder.write("victim", to: "victim")
    for name in ["link", "link.not-taken.txt"] {
      try FileManager.default.createSymbolicLink(
        atPath: fixture.folder.path("spool/incoming/\(name)"),
        withDestinationPath: fixture.folder.path("victim"))
    }
    try fixture.start()
    #expect(fixture.turn { fixture.daemon?.intake.blocked.count == 2 })
    #expect(try fixture.folder.text("victim") == "victim")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: fixture.folder.path("spool/incoming/link.not-taken.txt")) == fixture.folder.path("victim"))
  }

  @Test("a name that is long or isn't UTF-8 gets a notice, too")
  func names() {
    let obstacle = Obstacle(drop: "x", message: "No.", command: "")
    let long = Notice(FileName(String(repeating: "é", count: 127)), [obstacle])
    #expect(long.name.utf8.count <= 255 && long.name.hasSuffix(".not-taken.txt"))
    let odd = Notice(FileName(bytes: [0x61, 0xFF]), [obstacle])
    #expect(odd.name == "a\\xff.not-taken.txt")
    #expect(odd.text.contains("“a\\xff”.\n\nNo.\n\nDecant checks the drop again"), "\(odd.text)")
  }
}
