import CommandSupport
import DecantModel
import Foundation
import Glibc
import Testing

@testable import DecantCommand
@testable import DecantConsole
@testable import DecantMigration
@testable import DecantReport

@Suite("The work folder beside an output")
struct WorkFolderTests {
  let fixture: NotesFixture
  let source: StoreFiles
  var path: String { fixture.folder.path("Out.sqlite.decant") }

  init() throws {
    fixture = try NotesFixture()
    source = StoreFiles(try fixture.store())
  }

  private func open(_ arguments: [String] = ["a"]) throws -> WorkFolder {
    try WorkFolder(path, source: source, arguments: arguments)
  }

  @Test(
    "a first run is fresh, a second continues, a run with other arguments or a changed store starts again")
  func resuming() throws {
    do {
      let folder = try open()
      #expect(folder.start == .fresh)
      #expect(!folder.hasWork)
      try Data("rows".utf8).write(to: URL(fileURLWithPath: folder.work + "/step"))
    }
    do {
      let folder = try open()
      #expect(folder.start == .resumed)
      #expect(folder.hasWork)
    }
    do {
      let folder = try open(["b"])
      #expect(folder.start == .outdated)
      #expect(!folder.hasWork)
      try Data("rows".utf8).write(to: URL(fileURLWithPath: folder.work + "/step"))
    }
    do {
      let note = URL(fileURLWithPath: path + "/job.json")
      try Data(contentsOf: note).prefix(20).write(to: note)
      let folder = try open(["b"])
      #expect(folder.start == .unknown)
      #expect(!folder.hasWork)
      try Data("rows".utf8).write(to: URL(fileURLWithPath: folder.work + "/step"))
    }
    try fixture.folder.write("longer", to: "Store.sqlite")
    #expect(try open(["b"]).start == .outdated)
    try open(["b"]).remove()
    #expect(!StoreFiles.exists(path))
  }

  @Test("work stays if its note can't be read")
  func unreadNote() throws {
    do {
      let folder = try open()
      try Data("rows".utf8).write(to: URL(fileURLWithPath: folder.work + "/step"))
    }
    let plan = DiskFaultPlan(at: path + "/job.json", failAt: 1, isPersistent: true, code: EIO)
    #expect(throws: CommandFailure.self) { try plan.arming { try open() } }
    #expect(try open().start == .resumed)
  }

  @Test("files of a run that was killed while writing its note are removed by a later run")
  func killedAtTheNote() throws {
    do {
      let folder = try open()
      try Data("rows".utf8).write(to: URL(fileURLWithPath: folder.result + "/Out.sqlite"))
      let before = Set(try FileManager.default.contentsOfDirectory(atPath: path))
      // A folder in the note's place makes the note fail.
      try fixture.folder.write("", to: "Out.sqlite.decant/finished.json/obstacle")
      #expect(throws: CommandFailure.self) {
        try folder.finish(StoreFiles(folder.result + "/Out.sqlite"), report: Data())
      }
      let left = Set(try FileManager.default.contentsOfDirectory(atPath: path)).subtracting(before)
      #expect(left == ["finished.json", "finished.json.partial"])
      try FileManager.default.removeItem(atPath: path + "/finished.json")
    }
    let folder = try open()
    #expect(folder.start == .fresh)
    folder.remove()
    #expect(!StoreFiles.exists(path))
  }

  @Test("a store that was finished when the run was killed is put into place and not made again")
  func killedAfterTheEngine() throws {
    let expected = try endAfterTheEngine(isFinished: false)
    let (report, messages) = try goOn()
    #expect(messages.contains("The last run has finished Store.sqlite; putting it into place."))
    #expect(
      report.begun == expected.begun && report.steps == expected.steps && report.losses == expected.losses)
  }

  /// A run that ends after the engine has finished the store, before or after the command's own note.
  private func endAfterTheEngine(isFinished: Bool) throws -> MigrationReport {
    fixture.settle()
    let folder = try open([
      URL(fileURLWithPath: fixture.catalogue).resolvingSymlinksInPath().path, "", "", "",
    ])
    let result = StoreFiles(folder.result + "/Out.sqlite")
    var job = MigrationJob(
      source: URL(fileURLWithPath: source.store), output: URL(fileURLWithPath: result.store),
      workFolder: URL(fileURLWithPath: folder.work), catalogue: URL(fileURLWithPath: fixture.catalogue),
      chunkSize: 2)
    job.notesResult = true
    let report = try Migration.run(job)
    if isFinished { try folder.finish(result, report: JSONEncoder().encode(report)) }
    return report
  }

  /// Runs the same command again.
  private func goOn() throws -> (MigrationReport, messages: String) {
    let run = Captured([
      "migrate", source.store, "--output", fixture.folder.path("Out.sqlite"), "--models", fixture.catalogue,
      "--json",
    ])
    #expect(run.code == 0, "\(run.messages)")
    #expect(StoreFiles.exists(fixture.folder.path("Out.sqlite")))
    #expect(!StoreFiles.exists(path))
    return (try JSONDecoder().decode(MigrationReport.self, from: Data(run.output.utf8)), run.messages)
  }

  @Test(
    "after an irrelevant change of the catalogue, the finished store is checked and not made again",
    arguments: [true, false])
  func touched(isFinished: Bool) throws {
    try fixture.folder.write("12345", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    let expected = try endAfterTheEngine(isFinished: isFinished)
    try fixture.folder.write("read me", to: "Models/Notes/README")
    let (report, messages) = try goOn()
    #expect(messages.contains("Continuing Store.sqlite"), "\(messages)")
    #expect(report.begun != expected.begun)
    #expect(report.steps[0].chunks == 0 && report.steps[0].resumedChunks == expected.steps[0].chunks)
    #expect(
      report.destination?.sha256 == expected.destination?.sha256 && report.destination?.externalBytes == 5)
  }

  @Test("a correction of the catalogue between the runs is applied", arguments: [true, false])
  func corrected(isFinished: Bool) throws {
    let expected = try endAfterTheEngine(isFinished: isFinished)
    #expect(expected.targetVersion == "Notes 3")
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", entityMappings: [
        { source: "Note", destination: "Note", attributes: { text: "$source.mood" } },
        { source: "Tag", destination: "Tag" } ] }
      """, to: "Models/Notes/Step.mapping.json5")
    let (report, _) = try goOn()
    #expect(report.steps[0].passes == ["Step"] && report.steps[0].resumedChunks == 0)
    #expect(report.destination?.sha256 != expected.destination?.sha256)
  }

  @Test("a store that is at the target of the corrected catalogue is copied", arguments: [true, false])
  func current(isFinished: Bool) throws {
    try fixture.folder.write("12345", to: ".Store_SUPPORT/_EXTERNAL_DATA/A")
    _ = try endAfterTheEngine(isFinished: isFinished)
    try fixture.folder.write("{ target: \"Notes\" }", to: "Models/Notes/family.json5")
    let (report, _) = try goOn()
    #expect(report.result == .alreadyCurrent && report.targetVersion == "Notes")
    let output = fixture.folder.path("Out.sqlite")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: output)) == Data(contentsOf: URL(fileURLWithPath: source.store))
    )
    #expect(StoreFiles.exists(fixture.folder.path(".Out_SUPPORT/_EXTERNAL_DATA/A")))
  }

  @Test("two runs for one output: the second ends with “try again”")
  func locked() throws {
    let first = try open()
    let error = #expect(throws: CommandFailure.self) { try open() }
    #expect(error?.exitCode == 75)
    first.remove()
  }

  @Test("the work of another store, a folder of another program, and a link are not changed")
  func foreign() throws {
    try open().remove()
    try fixture.folder.write("mine", to: "Out.sqlite.decant/diary")
    #expect(#expect(throws: CommandFailure.self) { try open() }?.exitCode == 73)
    #expect(try String(contentsOfFile: path + "/diary", encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: path)
    symlink(fixture.folder.path("Models"), path)
    #expect(#expect(throws: CommandFailure.self) { try open() }?.exitCode == 73)
    unlink(path)
    _ = try open()
    let other = StoreFiles(try fixture.store("Other.sqlite"))
    let error = #expect(throws: CommandFailure.self) {
      try WorkFolder(path, source: other, arguments: ["a"])
    }
    #expect(error?.message.contains("unfinished work for another store") == true)
  }
}
