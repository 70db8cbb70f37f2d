import CommandSupport
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

/// The built executable, as users run it.
@Suite("The binary decant")
struct BinaryTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  /// Runs a shell command.
  ///
  /// `$decant` is the binary and `$d` the fixture's folder.
  private func shell(_ line: String) throws -> (code: Int32, output: String, messages: String) {
    try BinaryShell.run("set -o pipefail; " + line, in: fixture.folder)
  }

  @Test("the binary hashes, migrates, and fails with the codes of sysexits.h")
  func codes() throws {
    try fixture.store()
    #expect(try shell("$decant hash $d/Models/Notes/Notes.xcdatamodeld").output.hasPrefix("Note  "))
    let run = try shell("$decant migrate $d/Store.sqlite --output $d/Out.sqlite --models $d/Models")
    #expect(run.code == 0, "\(run.messages)")
    #expect(try shell("$decant migrate $d/Store.sqlite --output $d/Out.sqlite --models $d/Models").code == 73)
    #expect(try shell("$decant").code == 64)
    #expect(try shell("$decant hash $d/None.xcdatamodel").code == 66)
    #expect(try shell("$decant --version").output.hasPrefix("decant "))
  }

  @Test("a closed pipe is not an error, but a full device is one")
  func pipes() throws {
    let closed = try shell("$decant schema $d/Models/Notes/Notes.xcdatamodeld | true; echo ${PIPESTATUS[0]}")
    #expect(closed.output == "0\n")
    #expect(closed.messages.isEmpty)
    let full = try shell("$decant schema $d/Models/Notes/Notes.xcdatamodeld > /dev/full")
    #expect(full.code == 74)
    #expect(full.messages == "decant: Standard output can't be written: No space left on device.\n")
  }

  @Test("a migration continues when its output is closed")
  func closedTalk() throws {
    try fixture.store(notes: 50)
    let run = try shell(
      "$decant migrate $d/Store.sqlite --output $d/Out.sqlite --models $d/Models --chunk-size 1 2> >(true) | true; "
        + "echo ${PIPESTATUS[0]}")
    #expect(run.output == "0\n")
    #expect(try shell("$decant inspect $d/Out.sqlite").code == 0)
  }

  @Test("after Ctrl-C the same command continues, with the same result")
  func interrupt() throws {
    try fixture.store(notes: 40_000)
    let line = "$decant migrate $d/Store.sqlite --output $d/Out.sqlite --models $d/Models --chunk-size 50"
    // The signal is sent after the first progress line, when the work has begun. Without job control (-m) the shell
    // would make its background job ignore the signal.
    let run = try shell(
      "set -m; \(line) 2> $d/talk & p=$!; until grep -q ' of ' $d/talk || ! kill -0 $p; do :; done; kill -INT $p; wait $p"
    )
    let talk = try String(contentsOfFile: fixture.folder.path("talk"), encoding: .utf8)
    #expect(run.code == 75, "\(talk)")
    #expect(talk.contains("Stopping after this chunk"))
    #expect(talk.contains("The same command continues from here"))
    #expect(try fixture.names().contains("Out.sqlite.decant"))
    #expect(try !fixture.names().contains("Out.sqlite"))
    // A fault of the catalogue is found before a row is read, and leaves this work in place.
    let look = "stat -c '%i %s %y' $d/Out.sqlite.decant/work/step-1.sqlite.partial"
    let before = try shell(look)
    let slip = try fixture.folder.write("}", to: "Models/Notes/Slip.mapping.json5")
    let unusable = try shell(line)
    #expect(
      unusable.code == 78 && unusable.messages.contains("The work of an earlier run is kept in"),
      "\(unusable)")
    try FileManager.default.removeItem(at: slip)
    #expect(before.code == 0)
    #expect(try shell(look).output == before.output)
    let again = try shell("\(line) --json")
    #expect(again.code == 0, "\(again.messages)")
    #expect(again.messages.contains("Continuing Store.sqlite from the last run"))
    #expect(!again.messages.contains("reading, 0 of"), "\(again.messages)")
    #expect(try !fixture.names().contains("Out.sqlite.decant"))
    _ = try shell("$decant migrate $d/Store.sqlite --output $d/Whole.sqlite --models $d/Models")
    for table in ["ZNOTE", "ZTAG", "Z_PRIMARYKEY", "Z_1TAGS"] {
      let rows = try ["Out", "Whole"].map {
        try SQLiteDatabase(fixture.folder.path("\($0).sqlite"), mode: .immutable).rows("SELECT * FROM \(table)")
      }
      #expect(rows[0] == rows[1] && !rows[0].isEmpty, "\(table)")
    }
  }
}
