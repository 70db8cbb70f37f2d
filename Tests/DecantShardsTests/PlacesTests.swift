import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

/// The scratch folder, and the output with its folder of unfinished results.
@Suite("The places of a run") struct PlacesTests {
  let folder: TemporaryFolder
  private let shard = PathKey(of: "shard")

  init() throws {
    folder = try TemporaryFolder("decant-places")
    for name in ["out", "scratch"] { try make(name) }
  }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
  }

  private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

  private func scratch() throws -> ScratchFolder {
    try ScratchFolder(in: folder.url.path + "/scratch", key: shard)
  }

  private func unfinished(_ run: String = "run") throws -> UnfinishedFolder {
    try UnfinishedFolder(in: folder.path("out"), shard: shard, run: run)
  }

  @Test("what can't be opened, as another user's folder, or isn't one, is passed over")
  func foreignScratch() throws {
    let name = "scratch/decant-\(shard.hex)"
    try folder.write("", to: name)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("\(name)-2"), withDestinationPath: folder.path("out"))
    #expect(try scratch().path.hasSuffix("-3"))
  }

  @Test("a run that continues another one has its name, and the last one removes what killed ones left")
  func names() throws {
    var first: ScratchFolder? = try scratch()
    let second = try scratch()
    #expect(first?.run != second.run)
    let name = try #require(first?.run)
    first = nil
    #expect(second.removeAll() == [name])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("scratch")).isEmpty)
    first = try scratch()
    let again = try #require(first?.run)
    first = nil
    #expect(try scratch().run == again)
    // A torn note names no run.
    try folder.write("torn", to: "scratch/decant-\(shard.hex)/run")
    #expect(UUID(uuidString: try scratch().run) != nil)
  }

  @Test("a run removes its own folder and old ones, and never the folder above")
  func unfinishedFolders() throws {
    let (own, other, old) = (try unfinished(), try unfinished("other"), try unfinished("old"))
    let foreign = try UnfinishedFolder(in: folder.path("out"), shard: PathKey(of: "foreign"), run: "run")
    let long = time(nil) - 37 * 3600
    for path in [old.path, foreign.path] {
      var times = [timespec(tv_sec: long, tv_nsec: 0), timespec(tv_sec: long, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }
    own.removeOld()
    func exists(_ folder: UnfinishedFolder) -> Bool { FileManager.default.fileExists(atPath: folder.path) }
    #expect(exists(own) && exists(other) && exists(foreign) && !exists(old))
    for each in [own, other, foreign] { each.remove() }
    #expect(has("out/.unfinished"))
    try own.make()
    #expect(exists(own))
  }

  @Test("an earlier result is put back if its place is free, and gives way to a newer one")
  func putBack() throws {
    let (free, taken) = (PathKey(of: "free"), PathKey(of: "taken"))
    for key in [free, taken] {
      try folder.write("old", to: "out/.unfinished/\(shard.hex)-run/\(key.hex).replaced/store")
      try make("out/\(key.folder.dropLast(33))")
    }
    try folder.write("new", to: "out/\(taken.folder)/store")
    _ = try unfinished()
    #expect(try String(contentsOfFile: folder.path("out/\(free.folder)/store"), encoding: .utf8) == "old")
    #expect(try String(contentsOfFile: folder.path("out/\(taken.folder)/store"), encoding: .utf8) == "new")
    #expect(try leftovers() == [])
  }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.unfinished/\(shard.hex)-run"))
  }

  // MARK: Deliveries

  private let report = MigrationReport(
    result: .migrated, store: "", family: "Notes", sourceVersion: "Notes", targetVersion: "Notes 2",
    decantVersion: "1")

  private func job(_ content: String) throws -> (StoreJob, LedgerLine) {
    let path: FileName = "/in/a.sqlite"
    let key = PathKey(of: path)
    let job = StoreJob(path, key: key, scratch: folder.path("scratch/\(key.hex)"))
    try folder.write(content, to: "scratch/\(key.hex)/output/a.sqlite")
    var line = LedgerLine(path: path, settings: content, result: .done, seconds: 1, ended: Moment.text())
    (line.size, line.sha256) = (1, "1")
    return (job, line)
  }

  private func deliver(_ content: String, exchangesNames: Bool = true) throws -> LedgerLine {
    let (job, line) = try job(content)
    var delivery = StoreDelivery(output: folder.path("out"), unfinished: try unfinished()) { true }
    delivery.exchangesNames = exchangesNames
    return try delivery.deliver(job, report, line)
  }

  private func delivered() throws -> String {
    let place = folder.path("out/\(PathKey(of: "/in/a.sqlite").folder)")
    return try String(contentsOfFile: "\(place)/a.sqlite", encoding: .utf8)
  }

  @Test(
    "a new result replaces an older one, on each file system, and leaves nothing", arguments: [true, false])
  func replacing(exchangesNames: Bool) throws {
    for content in ["one", "two", "three"] {
      #expect(try deliver(content, exchangesNames: exchangesNames).settings == content)
      #expect(try delivered() == content)
    }
    #expect(try leftovers() == [])
  }

  @Test("a result's folders have the access of the source's, and its files that of the store")
  func access() throws {
    var (job, line) = try job("one")
    try folder.write("x", to: "scratch/\(job.key.hex)/output/.a_SUPPORT/_EXTERNAL_DATA/B1")
    let group = getegid()
    func access(_ mode: mode_t) -> FileAccess {
      var status = stat()
      (status.st_uid, status.st_gid, status.st_mode) = (geteuid(), group, mode)
      return FileAccess(status)
    }
    job.access = .init(store: access(0o640), support: access(0o750))
    let unfinished = try unfinished()
    let inProgress = ByteFile.status(Array(unfinished.path.utf8))?.st_mode
    #expect(inProgress.map { $0 & 0o777 } == 0o700)
    line = try StoreDelivery(output: folder.path("out"), unfinished: unfinished) { true }
      .deliver(job, report, line)
    let place = folder.path("out/\(job.key.folder)")
    for (name, mode) in [
      ("a.sqlite", 0o640), ("report.json", 0o640), (".a_SUPPORT", 0o750), (".a_SUPPORT/_EXTERNAL_DATA", 0o750),
      (".a_SUPPORT/_EXTERNAL_DATA/B1", 0o640),
    ] as [(String, mode_t)] {
      #expect(ByteFile.status(Array("\(place)/\(name)".utf8)).map { $0.st_mode & 0o777 } == mode, "\(name)")
    }
  }

  @Test("a group that can't be kept gets no more than all others have")
  func foreignGroup() throws {
    guard geteuid() != 0 else { return }
    let (path, group) = (folder.path("file"), getegid() + 1)
    try folder.write("x", to: "in/file")
    var status = stat()
    (status.st_uid, status.st_gid, status.st_mode) = (geteuid(), group, 0o664)
    try FileAccess(status).give(toContentOf: Array(folder.path("in").utf8), folders: FileAccess(status))
    #expect(ByteFile.status(Array(path.utf8)) == nil)
    #expect(ByteFile.status(Array(folder.path("in/file").utf8)).map { $0.st_mode & 0o777 } == 0o644)
  }

  @Test("of two runs that deliver the same result, the first one stays")
  func first() throws {
    var line = try deliver("same")
    let ended = line.ended
    line = try deliver("same")
    #expect(line.ended == ended)
  }

  @Test("trouble of the output or the scratch folder speaks of no store, whatever its cause is")
  func trouble() throws {
    let (job, line) = try job("one")
    let unfinished = try unfinished()
    let delivery = StoreDelivery(output: folder.path("out"), unfinished: unfinished) { true }
    job.clear()
    #expect {
      try delivery.deliver(job, report, line)
    } throws: {
      ($0 as? FileTrouble)?.failureOfPlace.disposition == .retry
    }
    for code in [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ENAMETOOLONG, ELOOP, ENOSPC, EIO, ESTALE] {
      #expect(FileTrouble("/out/a", "written", code).failureOfPlace.disposition == .retry, "\(code)")
    }
    for code in [ENOENT, EACCES] {
      #expect(FileTrouble("/in/a", "read", code).failureOfStore.disposition == .refuse, "\(code)")
    }
  }
}
