import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// `submit --wait` and `cancel` with a daemon that has jobs of others, too, or was started again.
@Suite("Following a job")
struct FollowingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var spool: String { folder.path("spool") }

  private func status(_ lists: String) -> String {
    #"{"version": "1", "state": "running", "spool": "\#(spool)"\#(lists.isEmpty ? "" : ", " + lists)}"#
  }

  private func job(_ name: String, of drop: String = "Notas") -> String {
    #"{"job": "\#(name)", "drop": "\#(drop)", "store": "\#(drop).sqlite"}"#
  }

  private func result(_ name: String, _ place: String) -> String {
    #"{"job": "\#(name)", "drop": "Notas", "store": "Notas.sqlite", "place": "\#(place)"}"#
  }

  private func outcome(_ statuses: String...) throws -> DropOutcome? {
    let server = SocketServer(folder.path("h"), statuses: statuses.map(status))
    defer { server.stop() }
    var follower = try DropFollower(HealthClient(path: folder.path("h")), spool: spool)
    try follower.lookAgain()
    return try follower.outcome(of: "Notas") { _ in }
  }

  @Test("a later drop with the same name isn't taken for the submitted drop")
  func sameName() throws {
    let mine = try outcome(
      "", #""running": [\#(job("D-000004"))]"#,
      #""running": [\#(job("D-000004"))], "queued": [\#(job("D-000006")), \#(job("D-000005"))]"#,
      #""queued": [\#(job("D-000005"))], "results": [\#(result("D-000006", "failed"))]"#,
      #""results": [\#(result("D-000006", "failed")), \#(result("D-000005", "done"))]"#)
    #expect(mine?.job == "D-000005" && mine?.isDone == true, "\(String(describing: mine))")
  }

  @Test("a job that isn't in the status any more is found in the folders")
  func restarted() throws {
    try folder.write(#"{"drop": "Notas", "job": "D-000004"}"#, to: "spool/done/Notas/report.json")
    try folder.write(#"{"drop": "Notas", "job": "D-000005"}"#, to: "spool/done/Notas~D-000005/report.json")
    let mine = try outcome("", "", #""running": [\#(job("D-000005"))]"#, "")
    #expect(mine?.folder == "\(spool)/done/Notas~D-000005", "\(String(describing: mine))")
  }

  @Test("a job that isn't listed may be in a long queue, but not after as many more jobs have ended")
  func longQueue() throws {
    func status(queued: Int, done: Int, failed: Int) throws -> DaemonStatus {
      try JSONDecoder().decode(
        DaemonStatus.self,
        from: Data(
          self.status(
            #""queued": [\#(job("D-1"))], "jobs": {"queued": \#(queued), "done": \#(done), "failed": \#(failed)}"#
          ).utf8))
    }
    var queue = HiddenQueue()
    let all = try queue.mayHold(status(queued: 1, done: 5, failed: 0))
    queue = HiddenQueue()
    let later = try [(200, 5, 1), (300, 305, 101), (300, 306, 101)].map {
      try queue.mayHold(status(queued: $0, done: $1, failed: $2))
    }
    #expect(!all && later == [true, true, false])
  }

  @Test("cancel finds the job in the folders if the daemon was started again")
  func cancelled() throws {
    try folder.write(
      #"{"drop": "Notas", "job": "D-000005", "reason": "cancelled"}"#, to: "spool/failed/D-000005/reason.json")
    let running = status(#""running": [\#(job("D-000005"))]"#)
    let server = SocketServer(folder.path("h"), statuses: [running, "", running, status("")])
    defer { server.stop() }
    let run = Captured(["cancel", "Notas", "--socket", folder.path("h"), "--quiet"])
    #expect(run.code == 0 && run.output == "\(spool)/failed/D-000005\n", "\(run.messages)")
  }

  @Test("cancel says where the job's folder is if the job was done before")
  func tooLate() throws {
    try folder.write(#"{"drop": "Notas", "job": "D-000005"}"#, to: "spool/done/Notas/report.json")
    let running = status(#""running": [\#(job("D-000005"))]"#)
    let server = SocketServer(folder.path("h"), statuses: [running, "", status("")])
    defer { server.stop() }
    let run = Captured(["cancel", "D-000005", "--socket", folder.path("h"), "--quiet"])
    #expect(run.code == 66 && run.messages.contains("It is in \(spool)/done/Notas."), "\(run.messages)")
  }
}
