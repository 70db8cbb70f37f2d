import CommandSupport
import DecantSQLite
import DecantTestSupport
import FileAccess
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

/// Drops into a spool without a daemon.
///
/// `TalkTests` has tests with a daemon.
@Suite("decant submit")
struct SubmitCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["incoming", "done", "failed"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("spool/\(name)"), withIntermediateDirectories: true)
    }
    chmod(folder.path("spool/incoming"), 0o3770)
  }

  private var spool: String { folder.path("spool") }

  /// Makes a store with a `-wal` and external data.
  private func makeStore(_ name: String = "Notas") throws -> String {
    try folder.write("store", to: "\(name).sqlite")
    try folder.write("log", to: "\(name).sqlite-wal")
    try folder.write("index", to: "\(name).sqlite-shm")
    try folder.write("picture", to: ".\(name)_SUPPORT/_EXTERNAL_DATA/A")
    chmod(folder.path("\(name).sqlite"), 0o400)
    return folder.path("\(name).sqlite")
  }

  private func submit(_ arguments: String...) -> Captured {
    Captured(["submit", "--spool", spool] + arguments)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(spool + "/incoming/" + path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: spool + "/incoming/" + path, encoding: .utf8)
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("the store is copied with -wal and external data for its owner alone, and isn't changed")
  func copies() throws {
    let run = submit(try makeStore())
    #expect(run.code == 0 && run.output == "\(spool)/incoming/Notas\n")
    #expect(run.messages == "decant: Dropped as “Notas”.\n")
    #expect(try names("\(spool)/incoming") == ["Notas"])
    #expect(try names("\(spool)/incoming/Notas") == [".Notas_SUPPORT", "Notas.sqlite", "Notas.sqlite-wal"])
    #expect(try text("Notas/Notas.sqlite") == "store" && text("Notas/Notas.sqlite-wal") == "log")
    #expect(try text("Notas/.Notas_SUPPORT/_EXTERNAL_DATA/A") == "picture")
    // The spool belongs to this user.
    #expect(mode("Notas") & 0o777 == 0o700 && mode("Notas/.Notas_SUPPORT/_EXTERNAL_DATA") & 0o777 == 0o700)
    #expect(mode("Notas/Notas.sqlite") == 0o600 && mode("Notas/.Notas_SUPPORT/_EXTERNAL_DATA/A") == 0o600)
    #expect(try names(folder.path("")).filter { $0.contains("Notas") }.count == 4, "nothing was moved")
  }

  @Test(
    "the spool's owner can read and take the drop, and its group can't",
    .enabled(if: geteuid() == 0, "Skipped: only root has other users' spools."))
  func daemonsUser() throws {
    chown(spool, 4_321, 4_322)
    chown(folder.path("spool/incoming"), 4_321, 4_322)
    chmod(folder.path("spool/incoming"), 0o3770)
    let run = submit(try makeStore())
    #expect(run.code == 0 && !run.messages.contains("lists"), "\(run.messages)")
    for (name, rights) in [
      ("Notas", 7), ("Notas/Notas.sqlite", 4), ("Notas/.Notas_SUPPORT/_EXTERNAL_DATA/A", 4),
    ] as [(String, UInt32)] {
      let list = try #require(AccessList(ofPath: "\(spool)/incoming/\(name)"), "\(name)")
      #expect(list.users == [4_321: rights] && list.effectiveMask == rights, "\(name)")
      #expect(list.group == 0 && list.groups.isEmpty && list.others == 0, "\(name)")
    }
  }

  @Test("options become the request, and without options there is no request")
  func request() throws {
    let store = try makeStore()
    #expect(submit(store, "--to", "Notas \"2\"", "--family", "N", "--priority", "-5", "--name", "X").code == 0)
    let request = try text("X/Notas.sqlite.request.json5")
    let json = try JSONSerialization.jsonObject(with: Data(request.utf8)) as? NSDictionary
    #expect(json == ["to": "Notas \"2\"", "family": "N", "priority": -5])
    #expect(mode("X/Notas.sqlite.request.json5") == 0o600)
    #expect(submit(store, "--priority", "101").code == 64)
    #expect(submit(store, "--priority", "high").code == 64)
  }

  @Test("a name that a drop or a result has gets a number")
  func takenNames() throws {
    let store = try makeStore()
    #expect(submit(store).output == "\(spool)/incoming/Notas\n")
    try FileManager.default.createDirectory(atPath: "\(spool)/done/Notas-2", withIntermediateDirectories: true)
    let run = submit(store)
    #expect(run.output == "\(spool)/incoming/Notas-3\n")
    #expect(run.messages == "decant: “Notas” is taken. Dropped as “Notas-3”.\n")
    // An empty folder isn't replaced.
    try FileManager.default.createDirectory(
      atPath: "\(spool)/incoming/Empty", withIntermediateDirectories: true)
    #expect(submit(store, "--name", "Empty").output == "\(spool)/incoming/Empty-2\n")
    let json = submit(store, "--json", "--quiet")
    #expect(json.messages.isEmpty && json.output.contains("\"drop\": \"Notas-4\""))
  }

  @Test("names that a daemon doesn't accept are refused before anything is copied")
  func badNames() throws {
    let store = try makeStore()
    for name in [".hidden", "a/b", String(repeating: "n", count: 201)] {
      #expect(submit(store, "--name", name).code == 64, "\(name)")
    }
    for name in ["report.json", ".dot.sqlite"] {
      try folder.write("store", to: name)
      let run = submit(folder.path(name))
      #expect(run.code == 65 && run.messages.contains("can't be dropped"), "\(run.messages)")
    }
    #expect(submit(folder.path("Notas.sqlite-wal")).code == 65)
    #expect(submit(folder.path("none.sqlite")).code == 66)
    #expect(try names("\(spool)/incoming").isEmpty)
  }

  @Test("a store whose -wal has another normal form is refused, because the -wal would not be copied")
  func otherForm() throws {
    try folder.write("store", to: "caf\u{e9}.sqlite")
    try folder.write("log", to: "cafe\u{301}.sqlite-wal")
    let run = submit(folder.path("caf\u{e9}.sqlite"))
    #expect(run.code == 65 && run.messages.contains("normal form"), "\(run.messages)")
    #expect(try names("\(spool)/incoming").isEmpty)
  }

  @Test("a store that is open and has commits in its -wal is copied with them")
  func openStore() throws {
    let path = folder.path("Open.sqlite")
    let database = try SQLiteDatabase(path, mode: .create)
    _ = try database.rows("PRAGMA journal_mode=WAL")
    for text in ["CREATE TABLE T (a)", "INSERT INTO T VALUES (7)"] { try database.execute(text) }
    #expect(submit(path).code == 0)
    let copy = try SQLiteDatabase("\(spool)/incoming/Open/Open.sqlite", mode: .readWrite)
    #expect(try copy.rows("SELECT a FROM T").first?.first == .integer(7))
    #expect(try database.rows("SELECT a FROM T").count == 1)
  }

  @Test("a store that changes all the time exits with 75, and nothing stays in the spool")
  func changing() throws {
    let store = StoreFiles(try makeStore())
    chmod(store.store, 0o600)
    let drop = try DropFolder(in: spool)
    do throws(CommandFailure) {
      try drop.fill(from: store, request: nil, pause: 0) {
        // The store changes at the begin of each copy.
        if let file = FileHandle(forWritingAtPath: store.store) {
          _ = try? file.seekToEnd()
          file.write(Data("x".utf8))
        }
        return true
      }
      Issue.record("It was copied.")
    } catch {
      #expect(error.exitCode == 75 && error.message.contains("was changed by another program"))
    }
    drop.remove()
    #expect(try names("\(spool)/incoming").isEmpty)
  }

  @Test("a store that changes during the copying is copied again")
  func changingOnce() throws {
    let store = StoreFiles(try makeStore())
    chmod(store.store, 0o600)
    let drop = try DropFolder(in: spool)
    var isChanged = false
    try drop.fill(from: store, request: nil, pause: 0) {
      if !isChanged { try? Data("another".utf8).write(to: URL(fileURLWithPath: store.store)) }
      isChanged = true
      return true
    }
    #expect(try drop.publish(as: "Notas") == "Notas")
    #expect(try text("Notas/Notas.sqlite") == "another")
  }

  @Test("a stop during the copying leaves no file")
  func stopped() throws {
    let drop = try DropFolder(in: spool)
    #expect(throws: CommandFailure.self) {
      try drop.fill(from: StoreFiles(try makeStore()), request: nil) { false }
    }
    drop.remove()
    #expect(try names("\(spool)/incoming").isEmpty)
  }

  @Test("exit codes: 66 without a spool, 77 without permission, 69 with --wait and without a daemon")
  func failures() throws {
    let store = try makeStore()
    let none = Captured(["submit", store, "--spool", folder.path("nowhere")])
    #expect(none.code == 66 && none.messages.contains("has no folder “incoming”"))
    let run = Captured(["submit", store, "--spool", spool, "--socket", folder.path("h"), "--wait"])
    #expect(run.code == 69 && run.output.isEmpty)
    #expect(try names("\(spool)/incoming").isEmpty)
    if geteuid() != 0 {
      chmod("\(spool)/incoming", 0o500)
      #expect(submit(store).code == 77)
      chmod("\(spool)/incoming", 0o700)
    }
  }

  @Test("with --socket alone, the daemon says where its spool is; another --spool is refused")
  func socketAlone() throws {
    let store = try makeStore()
    let server = SocketServer(
      folder.path("h"), status: #"{"version": "1", "state": "running", "spool": "\#(spool)"}"#)
    defer { server.stop() }
    #expect(Captured(["submit", store, "--socket", folder.path("h")]).output == "\(spool)/incoming/Notas\n")
    try FileManager.default.createDirectory(
      atPath: folder.path("other/incoming"), withIntermediateDirectories: true)
    let wrong = Captured(
      ["submit", store, "--socket", folder.path("h"), "--spool", folder.path("other"), "--wait"])
    #expect(wrong.code == 64 && wrong.messages.contains("uses the spool"), "\(wrong.messages)")
  }

  @Test("a result is found in the spool's folders if the daemon was started again")
  func folders() throws {
    try folder.write(#"{"drop": "Notas", "job": "J-1"}"#, to: "spool/done/Notas/report.json")
    #expect(DropOutcome.inFolders(of: spool, drop: "Notas", known: ["J-1"]) == nil, "an earlier drop's")
    let done = DropOutcome.inFolders(of: spool, drop: "Notas", known: [])
    #expect(done?.isDone == true && done?.job == "J-1" && done?.folder == "\(spool)/done/Notas")
    try folder.write(#"{"drop": "Notas", "job": "J-3"}"#, to: "spool/done/Notas~J-3/report.json")
    #expect(
      DropOutcome.inFolders(of: spool, drop: "Notas", known: ["J-1"])?.folder == "\(spool)/done/Notas~J-3")
    try folder.write(
      #"{"drop": "Bad", "job": "J-2", "reason": "not-sqlite", "message": "No.", "advice": "Drop another."}"#,
      to: "spool/failed/J-2/reason.json")
    let failed = DropOutcome.inFolders(of: spool, drop: "Bad", known: [])
    #expect(failed?.isDone == false && failed?.failure.exitCode == 65)
    #expect(failed?.failure.reason == .notSQLite && failed?.failure.message == "No.")
    #expect(DropOutcome.inFolders(of: spool, drop: "Bad", known: ["J-2"]) == nil)
  }

  @Test("without the socket, the notice beside the drop is the reason, and earlier results don't count")
  func alone() throws {
    try folder.write(#"{"drop": "Notas", "job": "J-1"}"#, to: "spool/done/Notas~J-1/report.json")
    try folder.write(
      #"{"drop": "Notas", "job": "J-2", "reason": "not-sqlite"}"#, to: "spool/failed/J-2/reason.json")
    let follower = SpoolFollower(spool: spool)
    try folder.write("x", to: "spool/incoming/Notas/Notas.sqlite")
    let notice = "Decant hasn't taken this drop: “Notas”.\n\nIt can't be read.\n\nDecant removes this notice.\n"
    try folder.write(notice, to: "spool/incoming/Notas.not-taken.txt")
    do throws(CommandFailure) {
      _ = try follower.outcome(of: "Notas") { _ in }
      Issue.record("It has an end.")
    } catch {
      #expect(
        error.exitCode == 65 && error.message == "Decant hasn't taken this drop: “Notas”. It can't be read.")
    }
    try FileManager.default.removeItem(atPath: "\(spool)/incoming/Notas.not-taken.txt")
    try folder.write(
      #"{"drop": "Notas", "job": "J-3", "reason": "not-sqlite"}"#, to: "spool/failed/J-3/reason.json")
    let outcome = try follower.outcome(of: "Notas") { _ in }
    #expect(outcome?.job == "J-3" && outcome?.isDone == false)
    try folder.write(#"{"drop": "Notas", "job": "J-4"}"#, to: "spool/done/Notas~J-4/report.json")
    #expect(try follower.outcome(of: "Notas") { _ in }?.folder == "\(spool)/done/Notas~J-4")
  }
}
