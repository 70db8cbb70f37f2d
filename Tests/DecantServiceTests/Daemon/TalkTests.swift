import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// The built `decant` and the built `decantd` together.
@Suite("decant talks to decantd")
struct TalkTests {
  static let bundle = TwoVersions.bundle

  /// A daemon whose catalogue has two versions.
  private func daemon() throws -> RealDaemon {
    try RealDaemon { try TwoVersions.write(to: $0) }
  }

  private func decant(_ arguments: [String]) throws -> (code: Int32, output: String, messages: String) {
    try Tool.separate([Repository.program("decant")] + arguments)
  }

  /// A store of the first version.
  private func makeStore(_ folder: TemporaryFolder, _ name: String, rows: Int = 20) throws {
    let run = try decant(
      [
        "generate", folder.path("\(Self.bundle)#Uno"), "--rows", "\(rows)", "--output", folder.path(name),
        "--quiet",
      ])
    #expect(run.code == 0, "\(run.messages)")
  }

  @Test("status shows what the daemon has done, as text and as JSON")
  func status() throws {
    let daemon = try daemon()
    let folder = daemon.folder
    try makeStore(folder, "Notas.sqlite")
    try folder.makeFolder("drop")
    try folder.rename("Notas.sqlite", to: "drop/Notas.sqlite")
    try daemon.drop("drop", as: "Mine")
    try folder.write("a letter", to: "letter.sqlite")
    try daemon.drop("letter.sqlite", as: "letter.sqlite")
    let config = ["--config", folder.path("d.json5")]
    #expect(
      daemon.eventually {
        guard let run = try? decant(["status"] + config) else { return false }
        return run.code == 0 && run.output.contains("1 in done, 1 in failed")
      })
    let text = try decant(["status"] + config).output
    #expect(text.hasPrefix("decantd ") && text.contains(" is ready, up "), "\(text)")
    #expect(
      text.contains("failed: letter.sqlite (job ") && text.contains("  not-sqlite: letter.sqlite is not"),
      "\(text)")
    let job = try decant(["status", "Mine"] + config).output
    #expect(
      job.contains("“Uno” to “Dos”, 20 migrated, ")
        && job.hasSuffix("\(folder.path("spool/done/Mine"))\n"),
      "\(job)")
    let json = try JSONDecoder().decode(
      ServiceStatus.self, from: Data(try decant(["status", "--json"] + config).output.utf8))
    #expect(json.results.map(\.drop).sorted() == ["Mine", "letter.sqlite"])
    #expect(try decant(["top"] + config).output.hasPrefix("decantd ready: 0 running, 0 queued"))
    #expect(daemon.stop() == 0)
    #expect(try decant(["status"] + config).code == 69)
  }

  @Test("submit --wait gives the new store's path, or the reason of the refusal")
  func submit() throws {
    let daemon = try daemon()
    let folder = daemon.folder
    let config = ["--config", folder.path("d.json5")]
    #expect(daemon.eventually { (try? decant(["status"] + config).code) == 0 })
    try makeStore(folder, "Notas.sqlite", rows: 50)
    let done = try decant(["submit", folder.path("Notas.sqlite"), "--wait"] + config)
    #expect(done.code == 0, "\(done.messages)")
    #expect(done.output == "\(folder.path("spool/done/Notas/Notas.sqlite"))\n")
    #expect(FileManager.default.fileExists(atPath: folder.path("spool/done/Notas/Notas.sqlite")))
    // The name “Notas” is taken now. The store has this target version already.
    let same = try decant(
      ["submit", folder.path("Notas.sqlite"), "--wait", "--to", "Uno", "--json", "--quiet"] + config)
    #expect(same.code == 0 && same.messages.isEmpty, "\(same.messages)")
    #expect(
      same.output.contains("\"path\": \"\(folder.path("spool/done/Notas-2/Notas.sqlite"))\""), "\(same.output)")
    try folder.write("a letter", to: "letter.sqlite")
    for round in 1...2 {
      // The second drop has the name of the failed one, but its own job.
      let failed = try decant(["submit", folder.path("letter.sqlite"), "--wait"] + config)
      #expect(failed.code == 65 && failed.output.isEmpty)
      #expect(failed.messages.contains("is not an SQLite database"), "\(failed.messages)")
      #expect(try folder.names("spool/failed").filter { !$0.hasPrefix(".") }.count == round)
    }
    let json = try decant(["submit", folder.path("letter.sqlite"), "--wait", "--json", "--name", "L"] + config)
    #expect(json.code == 65 && json.output.contains("\"reason\": \"not-sqlite\""), "\(json.output)")
    #expect(daemon.stop() == 0)
  }

  @Test("retry drops a refused store again after a correction of the catalogue, and forget removes the result")
  func retry() throws {
    let daemon = try daemon()
    let folder = daemon.folder
    let config = ["--config", folder.path("d.json5")]
    #expect(daemon.eventually { (try? decant(["status"] + config).code) == 0 })
    try makeStore(folder, "Notas.sqlite")
    let refused = try decant(["submit", folder.path("Notas.sqlite"), "--wait", "--to", "Tres"] + config)
    #expect(refused.code == 65, "\(refused.messages)")
    try folder.rename("\(Self.bundle)/Dos.xcdatamodel", to: "\(Self.bundle)/Tres.xcdatamodel")
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Tres.xcdatamodel</string></dict></plist>",
      to: "\(Self.bundle)/.xccurrentversion")
    let again = try decant(["retry", "--all", "--reason", "unknown-target"] + config)
    #expect(again.code == 0 && again.output == "\(folder.path("spool/incoming/Notas"))\n", "\(again)")
    #expect(daemon.eventually { FileManager.default.fileExists(atPath: folder.path("spool/done/Notas")) })
    #expect(try folder.names("spool/failed").filter { !$0.hasPrefix(".") }.isEmpty)
    #expect(try folder.text("spool/done/Notas/report.json").contains("\"Tres\""))
    #expect(try decant(["forget", "Notas"] + config).code == 0)
    #expect(try folder.names("spool/done").filter { !$0.hasPrefix(".") }.isEmpty)
    #expect(daemon.stop() == 0)
  }

  @Test("a finished job can't be cancelled; the daemon's user may ask")
  func cancelTooLate() throws {
    let daemon = try daemon()
    let folder = daemon.folder
    let config = ["--config", folder.path("d.json5")]
    #expect(daemon.eventually { (try? decant(["status"] + config).code) == 0 })
    try makeStore(folder, "Notas.sqlite")
    #expect(try decant(["submit", folder.path("Notas.sqlite"), "--wait"] + config).code == 0)
    let late = try decant(["cancel", "Notas"] + config)
    #expect(late.code == 66 && late.output.isEmpty, "\(late)")
    #expect(UnixClient.get("/jobs/1-1/cancel", method: "POST", on: folder.path("h.sock"))?.code == 202)
    #expect(UnixClient.get("/jobs/1-1/cancel", on: folder.path("h.sock"))?.code == 405)
    #expect(daemon.stop() == 0)
  }
}
