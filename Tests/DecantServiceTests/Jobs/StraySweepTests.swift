import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Strays in the spool")
struct StraySweepTests {
  private let folder: TemporaryFolder
  private let spool: Spool

  init() throws {
    folder = try TemporaryFolder.short()
    spool = try Spool(path: folder.path("spool"))
  }

  private func sweep(hours: Double) -> [RetentionRound.Event] {
    var events: [RetentionRound.Event] = []
    StraySweep(spool: spool, now: Date().timeIntervalSince1970 + hours * 3600)
      .run(goesOn: { true }, report: { events.append($0) })
    return events
  }

  @Test("only Decant's own temporary files are removed, after 36 hours without a change")
  func sweep() throws {
    for name in [
      "incoming/.decant-submit-1-2/N.sqlite", "incoming/.decant-submit-1-2/.N_SUPPORT/A",
      "done/.gone-N/report.json",
      "failed/.gone-J/original/N.sqlite", "incoming/.user-4711/N.sqlite", "incoming/.N_SUPPORT/A",
      "incoming/decant-submit-1-2/N.sqlite", "done/N/report.json", "failed/.mine", "work/.gone-mine/x",
      "incoming/.gone-N",
    ] { try folder.write("x", to: "spool/\(name)") }
    let before = try folder.tree("spool")
    #expect(sweep(hours: 35.9).isEmpty)
    #expect(try folder.tree("spool") == before)
    let path = folder.path("spool")
    #expect(
      sweep(hours: 36.1) == [
        .swept("\(path)/incoming/.decant-submit-1-2"), .swept("\(path)/done/.gone-N"),
        .swept("\(path)/failed/.gone-J"),
      ])
    let rest = before.filter {
      !$0.key.contains(".decant-submit") && !$0.key.hasPrefix("done/.gone") && !$0.key.hasPrefix("failed/.gone")
    }
    #expect(try folder.tree("spool") == rest)
    #expect(sweep(hours: 1000).isEmpty)
  }

  @Test("a folder with a file that was changed lately stays, whatever the folder's own time is")
  func young() throws {
    try folder.write("x", to: "spool/incoming/.decant-submit-1-2/N.sqlite")
    let later = Date().addingTimeInterval(3600)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: folder.path("spool/incoming/.decant-submit-1-2/N.sqlite"))
    #expect(sweep(hours: 36.5).isEmpty)
    #expect(sweep(hours: 37.5).count == 1)
  }

  @Test("the daemon removes strays at its start without any setting, and says so")
  func daemon() throws {
    let clock = TestClock()
    clock.seconds = Date().timeIntervalSince1970 + 37 * 3600 - 1_795_183_200
    let fixture = try DaemonFixture()
    try fixture.put("x", ".decant-submit-1-2/N.sqlite")
    try fixture.start(clock: clock.service)
    #expect(fixture.turn { (try? fixture.folder.names("spool/incoming").isEmpty) == true })
    #expect(
      try fixture.turn {
        try fixture.log().contains { $0.contains("event=swept path=") && $0.contains(".decant-submit-1-2") }
      })
    #expect(try fixture.journal().contains("an interrupted command has left it"))
  }
}
