import CommandSupport
import DecantCatalogue
import DecantConsole
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantMigration
@testable import DecantReport

/// Runs that end while the renames that replace an old store by the new one are not all done.
@Suite("Runs that end while they replace a store") struct InterruptedInstallTests {
  private let fixture: NotesFixture
  private let source: StoreFiles
  private var output: String { fixture.folder.path("Out.sqlite") }
  private static let old = [
    "Out.sqlite", "Out.sqlite-wal", ".Out_SUPPORT", "Out.quarantine.sqlite", "Out.quarantine.json",
    "Out.quarantine-1.json", ".Out.quarantine_SUPPORT",
  ]
  private static let new = [
    "Out.sqlite", ".Out_SUPPORT", "Out.associations.sqlite", "Out.quarantine.json", "Out.quarantine.sqlite",
  ]

  init() throws {
    fixture = try NotesFixture()
    source = StoreFiles(try fixture.store())
  }

  private func folder(_ argument: String = "a") throws -> WorkFolder {
    try WorkFolder(output + ".decant", source: source, arguments: [argument])
  }

  private func write(_ text: String, _ names: [String], in place: String) throws {
    for name in names {
      try fixture.folder.write(text, to: place + name + (name.hasSuffix("_SUPPORT") ? "/_EXTERNAL_DATA/A" : ""))
    }
  }

  /// The files of the outputs, as `name: text`.
  private func contents() throws -> [String] {
    try fixture.names().filter { !["Models", "Store.sqlite", "Out.sqlite.decant"].contains($0) }.map { name in
      let file = name + (name.hasSuffix("_SUPPORT") ? "/_EXTERNAL_DATA/A" : "")
      return "\(name): \(try String(contentsOfFile: fixture.folder.path(file), encoding: .utf8))"
    }.sorted()
  }

  private func lines(_ names: [String], _ text: String) -> [String] { names.map { "\($0): \(text)" }.sorted() }

  /// - Parameter moves: The number of finished renames of `OutputPlace.install`.
  private func end(after moves: Int) throws {
    try write("old", Self.old, in: "")
    do {
      let folder = try folder()
      try write("new", Self.new, in: "Out.sqlite.decant/result/")
      try folder.finish(
        StoreFiles(folder.result + "/Out.sqlite"), quarantines: ["Out.quarantine.sqlite"], report: Data())
      try note(folder)
      mkdir(folder.replaced, 0o700)
      let away = Self.old.dropFirst().map { ($0, "Out.sqlite.decant/replaced/" + $0) }
      let here = (Self.new.dropFirst() + Self.new.prefix(1)).map { ("Out.sqlite.decant/result/" + $0, $0) }
      for (from, to) in (away + here).prefix(moves) {
        #expect(rename(fixture.folder.path(from), fixture.folder.path(to)) == 0)
      }
    }
  }

  /// Writes the engine's own note, for an unchanged family.
  private func note(_ folder: WorkFolder) throws {
    let file = URL(fileURLWithPath: folder.result + "/Out.sqlite")
    let work = URL(fileURLWithPath: folder.work)
    let report = MigrationReport(
      result: .migrated, store: "Store.sqlite", family: "Notes", sourceVersion: "1", targetVersion: "2",
      decantVersion: "t")
    let job = MigrationJob(
      source: URL(fileURLWithPath: source.store), output: file, workFolder: work,
      catalogue: URL(fileURLWithPath: fixture.catalogue))
    try ResultNote(report, file: file.path, of: job, FamilyStamp(of: fixture.catalogue + "/Notes", at: .max))
      .write(to: work)
  }

  /// The numbers of renames without the last one, which replaces the old store.
  private static let moves = Array(0...(old.count + new.count - 2))
  private static let allMoves = old.count + new.count - 1

  @Test(
    "the same command delivers the other files, and no old file stays", arguments: moves + [allMoves])
  func goesOn(moves: Int) throws {
    try end(after: moves)
    let place = try OutputPlace(output, sources: [source.store], overwrites: true)
    let folder = try folder()
    #expect(folder.start == .finished)
    try place.install(
      StoreFiles(folder.result + "/Out.sqlite"), quarantines: ["Out.quarantine.sqlite"], from: folder)
    folder.remove()
    #expect(try contents() == lines(Self.new, "new"))
  }

  @Test(
    "after the last rename the same command succeeds, and another command replaces nothing",
    arguments: ["a", "b"])
  func allThere(argument: String) throws {
    try end(after: Self.allMoves)
    let place = try OutputPlace(output, sources: [source.store], overwrites: false)
    let folder = try folder(argument)
    if argument == "a" {
      try place.check(folder.start)
      try place.install(
        StoreFiles(folder.result + "/Out.sqlite"), quarantines: ["Out.quarantine.sqlite"], from: folder)
      folder.remove()
    } else {
      let failure = #expect(throws: CommandFailure.self) { try place.check(folder.start) }
      #expect(failure?.exitCode == 73)
    }
    #expect(try contents() == lines(Self.new, "new"))
  }

  @Test("another command puts the old store back with all its files", arguments: moves)
  func startsAnew(moves: Int) throws {
    try end(after: moves)
    let place = try OutputPlace(output, sources: [source.store], overwrites: true)
    let folder = try folder("b")
    #expect(folder.start == .outdated && place.path == output)
    #expect(try contents() == lines(Self.old, "old"))
    folder.remove()
    #expect(try contents() == lines(Self.old, "old"))
  }
}
