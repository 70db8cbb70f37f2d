import CommandSupport
import DecantModel
import Foundation
import Glibc
import Testing

@testable import DecantCommand

@Suite("Commands with a disk that fails")
struct FailingDiskCommandTests {
  @Test(
    "a read that fails once is repeated; a broken disk is reported, with exit code 74",
    arguments: ["inspect", "plan", "migrate", "verify"])
  func reads(name: String) throws {
    let fixture = try AlbumFixture(usesWriteAheadLog: true)
    let output = fixture.folder.path("New.sqlite")
    #expect(
      Captured([
        "migrate", fixture.store, "--models", fixture.catalogue, "--output", output, "--rewrite", "--quiet",
      ])
      .code == 0)
    let before = try fixture.picture()
    var words = [name, fixture.store, "--models", fixture.catalogue, "--json"]
    if name == "migrate" {
      words += ["--output", fixture.folder.path("Other.sqlite"), "--rewrite", "--quiet", "--force"]
    }
    if name == "verify" {
      words = [name, fixture.store, output, "--models", fixture.catalogue, "--json", "--quiet"]
    }
    let plain = Captured(words)
    #expect(plain.code == 0)
    for isPersistent in [false, true] {
      var number = 0
      while true {
        number += 1
        try #require(number < 400)
        let plan = DiskFaultPlan(at: fixture.store, failAt: number, isPersistent: isPersistent, code: EIO)
        let run = plan.arming { Captured(words) }
        guard plan.hasFailed else { break }
        guard run.code != 0 else { continue }
        #expect(run.code == 74, "read \(number): \(run.messages)")
        #expect(
          run.messages.contains("\(fixture.store)") && run.messages.contains("not the store"), "\(run.messages)"
        )
        #expect(!run.messages.contains("damaged") && !run.messages.contains("-wal that was"), "\(run.messages)")
        #expect(run.output.contains("\"reason\": \"disk\""), "\(run.output)")
        // Verify doesn't repeat reads after it has opened the stores.
        #expect(isPersistent || name == "verify", "read \(number): \(run.messages)")
      }
      #expect(number > 5)
    }
    #expect(try fixture.picture() == before)
  }

  @Test("a disk that fails from the first read on isn't reported as a missing store")
  func always() throws {
    let fixture = try AlbumFixture()
    let plan = DiskFaultPlan(at: fixture.store, failAt: 1, isPersistent: true, code: ENOTCONN)
    let run = plan.arming { Captured(["inspect", fixture.store]) }
    #expect(run.code == 74)
    #expect(run.messages.contains("can't be read: Transport endpoint is not connected"), "\(run.messages)")
  }
}
