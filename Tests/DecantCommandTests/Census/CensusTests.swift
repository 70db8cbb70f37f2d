import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantConsole

@Suite("decant plan FOLDER")
struct CensusTests {
  let fixture: NotesFixture

  /// Three stores of the first version and one in a hidden folder, a damaged and an empty store, and other files.
  init() throws {
    fixture = try NotesFixture()
    try fixture.store()
    let folder = fixture.folder
    let store = try Data(contentsOf: folder.url.appendingPathComponent("Store.sqlite"))
    for name in ["S/a.sqlite", "S/b/b.sqlite", "S/b/c/store without ending", "S/.hidden/d.sqlite"] {
      try folder.write("", to: name)
      try store.write(to: folder.url.appendingPathComponent(name))
    }
    try folder.write("SQLite format 3\0garbage", to: "S/broken.sqlite")
    try folder.write("", to: "S/empty.db")
    try folder.write("text", to: "S/readme.txt")
    try folder.write("", to: "S/a.sqlite-wal")
    symlink(folder.path("S"), folder.path("S/loop"))
  }

  private func plan(_ more: String..., width: Int = 80) -> Captured {
    Captured(["plan", fixture.folder.path("S"), "--models", fixture.catalogue] + more, width: width)
  }

  @Test("stores are counted by family, version and way; stores that would fail are named with the reason")
  func text() {
    let run = plan()
    #expect(run.code == 65, "\(run.messages)")
    // The length of the folder's path decides where the line is broken.
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("stores, 120.0 KiB; 3 other files"), "\(run.output)")
    #expect(run.output.contains("     3  "), "\(run.output)")
    #expect(run.output.contains("Notes: Notes        to “Notes 3”: inferred"), "\(run.output)")
    #expect(run.output.contains("1 store would fail: empty"), "\(run.output)")
    #expect(run.output.contains(fixture.folder.path("S/empty.db")))
    #expect(run.lines.allSatisfy { DisplayWidth.columns(of: $0) <= 80 || $0.contains("/") }, "\(run.output)")
  }

  @Test("JSON has groups, failures with examples, and unreadable names, whose bytes are escaped")
  func json() throws {
    let odd: [CChar] =
      (fixture.folder.path("S") + "/").utf8.map { CChar(bitPattern: $0) } + [
        CChar(bitPattern: 0xFF), 0x2E, 0x64, 0x62, 0,
      ]
    close(open(odd, O_CREAT | O_WRONLY, 0o600))
    let run = plan("--json")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(json["stores"] as? Int == 5 && json["unreadableFiles"] as? Int == 1)
    let groups = try #require(json["groups"] as? [[String: Any]])
    #expect(groups.count == 1 && groups[0]["stores"] as? Int == 3 && groups[0]["family"] as? String == "Notes")
    #expect(groups[0]["withLosses"] as? Int == 3)
    let failures = try #require(json["failures"] as? [[String: Any]])
    #expect(failures.count == 2 && failures.allSatisfy { ($0["examples"] as? [String])?.count == 1 })
    let unreadable = try #require(json["unreadable"] as? [[String: String]])
    try #require(unreadable.count == 1)
    #expect(
      unreadable[0]["path"]?.hasSuffix("/S/\\xff.db") == true
        && unreadable[0]["reason"]?.contains("UTF-8") == true)
  }

  @Test("without --verbose there are few examples; a folder without stores is no failure")
  func examples() throws {
    for number in 1...5 { try fixture.folder.write("", to: "S/e\(number).db") }
    #expect(plan().output.contains("    and 3 more; --verbose lists all"))
    let verbose = plan("--verbose").output
    #expect((1...5).allSatisfy { verbose.contains("S/e\($0).db\n") })
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("None"), withIntermediateDirectories: true)
    let none = Captured(["plan", fixture.folder.path("None"), "--models", fixture.catalogue])
    #expect(none.code == 0 && none.output.contains("No store was found."))
  }

  @Test(
    "a folder that can't be entered is named",
    .enabled(if: geteuid() != 0, "root enters every folder"))
  func closed() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("S/closed"), withIntermediateDirectories: true)
    chmod(fixture.folder.path("S/closed"), 0)
    defer { chmod(fixture.folder.path("S/closed"), 0o700) }
    #expect(plan().output.contains("S/closed: Permission denied"))
  }
}
