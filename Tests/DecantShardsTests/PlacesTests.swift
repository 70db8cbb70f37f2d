import DecantReport
import DecantTestSupport
import FileAccess
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

  @Test("a scratch folder's name that a file or a link has is skipped")
  func foreignScratch() throws {
    let name = "scratch/decant-\(shard.hex)"
    try folder.write("", to: name)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("\(name)-2"), withDestinationPath: folder.path("out"))
    #expect(try scratch().path.hasSuffix("-3"))
  }

  @Test("a run that continues a killed one takes its name, and the last run removes what killed runs left")
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
    // A damaged file “run” gives no name.
    try folder.write("torn", to: "scratch/decant-\(shard.hex)/run")
    #expect(UUID(uuidString: try scratch().run) != nil)
  }

  @Test("a run removes its own folder and old folders of its shard, but never the folder above")
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

  @Test("an earlier result is put back if its place is free, and removed if there is a newer result")
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
    var line = LedgerLine(path: path, settings: content, result: .done, seconds: 1, ended: Timestamp.text())
    (line.size, line.sha256) = (1, "1")
    return (job, line)
  }

  /// - Parameter held: The mark of the result that was there when the store was copied; by default the present one.
  private func deliver(
    _ content: String, exchangesNames: Bool = true, held: PathKey?? = nil
  ) throws -> StoreDelivery.End {
    var (job, line) = try job(content)
    job.held = held ?? StoreDelivery.receipt(of: job, in: folder.path("out"))?.mark
    line.seconds = Double(content.count)
    var delivery = StoreDelivery(output: folder.path("out"), unfinished: try unfinished()) { true }
    delivery.exchangesNames = exchangesNames
    return try delivery.deliver(job, report, line)
  }

  private func line(_ end: StoreDelivery.End) -> LedgerLine? {
    if case .delivered(let line) = end { line } else { nil }
  }

  private func delivered() throws -> String {
    let place = folder.path("out/\(PathKey(of: "/in/a.sqlite").folder)")
    return try String(contentsOfFile: "\(place)/a.sqlite", encoding: .utf8)
  }

  @Test(
    "a new result replaces an older one, with and without exchanged names, and leaves no other files",
    arguments: [true, false])
  func replacing(exchangesNames: Bool) throws {
    for content in ["one", "two", "three"] {
      #expect(line(try deliver(content, exchangesNames: exchangesNames))?.settings == content)
      #expect(try delivered() == content)
    }
    #expect(try leftovers() == [])
  }

  @Test(
    "a run that was paused doesn't replace a result that another run delivered meanwhile",
    arguments: [true, false])
  func frozen(exchangesNames: Bool) throws {
    _ = try deliver("one", exchangesNames: exchangesNames)
    let key = PathKey(of: "/in/a.sqlite")
    let one = try #require(ResultReceipt(in: Array(folder.path("out/\(key.folder)").utf8))).mark
    _ = try deliver("two", exchangesNames: exchangesNames)
    for held in [one, nil] {
      guard case .overtaken(let failure) = try deliver("old", exchangesNames: exchangesNames, held: .some(held))
      else {
        Issue.record("It was delivered.")
        return
      }
      #expect(failure.disposition == .retry && failure.message.contains("/in/a.sqlite"), "\(failure)")
      #expect(try delivered() == "two")
    }
    #expect(try leftovers() == [])
  }

  @Test("a result replaces another one only if the source hasn't changed since it was copied")
  func changedSource() throws {
    let path = FileName(try folder.write("first", to: "in/a.sqlite").path)
    var job = StoreJob(path, key: PathKey(of: path), scratch: folder.path("scratch/job"))
    job.state = try SourceFiles(path: path).state()
    try folder.write("a second one", to: "in/a.sqlite")
    func deliver(_ settings: String) throws -> StoreDelivery.End {
      try folder.write("result", to: "scratch/job/output/a.sqlite")
      var line = LedgerLine(path: path, settings: settings, result: .done, seconds: 1, ended: Timestamp.text())
      (line.size, line.sha256) = (1, "1")
      job.held = StoreDelivery.receipt(of: job, in: folder.path("out"))?.mark
      return try StoreDelivery(output: folder.path("out"), unfinished: try unfinished()) { true }
        .deliver(job, report, line)
    }
    // If there is no result yet, a result of the old copy is delivered.
    #expect(line(try deliver("s")) != nil)
    guard case .overtaken(let failure) = try deliver("t") else {
      Issue.record("It was delivered.")
      return
    }
    #expect(failure.reason == .sourceChanged && failure.disposition == .retry)
  }

  @Test("the result's folders and files get the permissions of the source's folders and files")
  func access() throws {
    var (job, line) = try job("one")
    line.rows = 1
    try folder.write("x", to: "scratch/\(job.key.hex)/output/.a_SUPPORT/_EXTERNAL_DATA/B1")
    let group = getegid()
    func access(_ mode: mode_t) -> FilePermissions {
      var status = stat()
      (status.st_uid, status.st_gid, status.st_mode) = (geteuid(), group, mode)
      return FilePermissions(status)
    }
    var given = StoreAccess(store: access(0o644))
    (given.support, given.external, given.externalFolders) = (access(0o755), access(0o600), access(0o700))
    job.access = given
    let unfinished = try unfinished()
    let inProgress = ByteFile.status(Array(unfinished.path.utf8))?.st_mode
    #expect(inProgress.map { $0 & 0o777 } == 0o700)
    _ = try StoreDelivery(output: folder.path("out"), unfinished: unfinished) { true }
      .deliver(job, report, line)
    let place = folder.path("out/\(job.key.folder)")
    for (name, mode) in [
      ("a.sqlite", 0o644), ("report.json", 0o644), (".a_SUPPORT", 0o755), (".a_SUPPORT/_EXTERNAL_DATA", 0o700),
      (".a_SUPPORT/_EXTERNAL_DATA/B1", 0o600),
    ] as [(String, mode_t)] {
      #expect(ByteFile.status(Array("\(place)/\(name)".utf8)).map { $0.st_mode & 0o777 } == mode, "\(name)")
    }
  }

  @Test("permissions are those that all external files have, and for a store those that its log has, too")
  func companions() throws {
    let store = try folder.write("x", to: "in/a.sqlite").path
    for name in ["a.sqlite-wal", ".a_SUPPORT/_EXTERNAL_DATA/B1", ".a_SUPPORT/_EXTERNAL_DATA/B2"] {
      try folder.write("x", to: "in/\(name)")
    }
    for (name, mode) in [
      ("a.sqlite", 0o664), ("a.sqlite-wal", 0o644), (".a_SUPPORT", 0o755), (".a_SUPPORT/_EXTERNAL_DATA", 0o700),
      (".a_SUPPORT/_EXTERNAL_DATA/B1", 0o640), (".a_SUPPORT/_EXTERNAL_DATA/B2", 0o604),
    ] as [(String, mode_t)] { #expect(chmod(folder.path("in/\(name)"), mode) == 0) }
    let access = try #require(SourceFiles(path: FileName(store)).access())
    #expect(access.store.mode == 0o644)
    #expect((access.support.mode, access.external.mode, access.externalFolders.mode) == (0o755, 0o600, 0o700))
  }

  /// Whether access control lists can be set in the folder for temporary files.
  private static let hasLists: Bool = {
    guard let folder = try? TemporaryFolder("decant-places") else { return false }
    let descriptor = open(folder.url.path, O_RDONLY)
    defer { close(descriptor) }
    var list = AccessList(mode: 0o700)
    list.users = [4711: 4]
    return list.apply(to: descriptor)
  }()

  @Test(
    "the result's group gets what the access control list gives the group, and further users get nothing",
    .enabled(if: hasLists, "the file system of temporary files has no access control lists"))
  func lists() throws {
    let store = try folder.write("x", to: "in/a.sqlite").path
    var list = AccessList(mode: 0o600)
    list.users = [4711: 4]
    let (file, out) = (open(store, O_RDWR), open(folder.path("out"), O_RDONLY))
    defer { for descriptor in [file, out] { close(descriptor) } }
    try #require(list.apply(to: file))
    let source = try #require(ByteFile.status(Array(store.utf8)))
    #expect(source.st_mode & 0o777 == 0o640)
    let access = try #require(SourceFiles(path: FileName(store)).access())
    #expect(access.store.mode == 0o600)
    // The output's default list gives new files to a further user.
    list.users = [4711: 7]
    #expect(list.applyToNewNames(in: out))
    try folder.write("x", to: "out/.a_SUPPORT/B1")
    try folder.write("x", to: "out/a.sqlite")
    var wide = StoreAccess(store: access.store)
    wide.store.mode = 0o664
    (wide.support, wide.external) = (wide.store.ofFolder, wide.store)
    try wide.give(toContentOf: Array(folder.path("out").utf8))
    for name in ["a.sqlite", ".a_SUPPORT", ".a_SUPPORT/B1"] {
      let descriptor = open(folder.path("out/\(name)"), O_RDONLY)
      defer { close(descriptor) }
      #expect(AccessList(of: descriptor) == nil && AccessList(forNewNamesIn: descriptor) == nil, "\(name)")
    }
    #expect(ByteFile.status(Array(folder.path("out/a.sqlite").utf8)).map { $0.st_mode & 0o777 } == 0o664)
  }

  /// Sets or clears the attribute that lets no program change a file; false if this user or file system can't do that.
  private static func freeze(_ path: String, _ isFrozen: Bool) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "chattr \"$1\" \"$2\" 2> /dev/null", "sh", isFrozen ? "+i" : "-i", path]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static let canFreeze: Bool = {
    guard hasLists, let folder = try? TemporaryFolder("decant-places") else { return false }
    return freeze(folder.url.path, true) && freeze(folder.url.path, false)
  }()

  @Test(
    "a file whose access control list can't be removed is an error, and one without a list is none",
    .enabled(if: canFreeze, "this user can't set attributes of files, or there are no access control lists"))
  func keptList() throws {
    let path = try folder.write("x", to: "in/file").path
    let file = open(path, O_RDWR)
    defer { close(file) }
    let access = StoreAccess(store: try #require(FilePermissions(of: Array(path.utf8))))
    func give() -> FileTrouble? {
      guard Self.freeze(path, true) else { return FileTrouble(path, "frozen", 0) }
      defer { #expect(Self.freeze(path, false)) }
      do throws(FileTrouble) {
        try access.give(toContentOf: Array(folder.path("in").utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(give() == nil)
    var list = AccessList(mode: 0o600)
    list.users = [4711: 4]
    try #require(list.apply(to: file))
    #expect(give() == FileTrouble(path, "given its permissions", EPERM))
  }

  @Test(
    "if the group can't be kept, the new group gets only what all others get",
    .enabled(if: geteuid() != 0, "Skipped: root may give any group."))
  func foreignGroup() throws {
    let group = getegid() + 1
    try folder.write("x", to: "in/file")
    var status = stat()
    (status.st_uid, status.st_gid, status.st_mode) = (geteuid(), group, 0o664)
    try StoreAccess(store: FilePermissions(status)).give(toContentOf: Array(folder.path("in").utf8))
    #expect(ByteFile.status(Array(folder.path("in/file").utf8)).map { $0.st_mode & 0o777 } == 0o644)
  }

  @Test("if two runs deliver the same result, the first one stays")
  func first() throws {
    let first = try #require(line(try deliver("same")))
    let second = try #require(line(try deliver("same", held: .some(nil))))
    #expect(second.ended == first.ended)
    #expect((first.found, second.found) == (nil, true))
  }

  @Test("a failure of the output or the scratch folder never refuses a store")
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
    #expect(FileTrouble("/in/a", "read", ENOENT).failureOfStore.disposition == .refuse)
    #expect(FileTrouble("/in/a", "read", EACCES).failureOfStore.disposition == .retry)
  }
}
