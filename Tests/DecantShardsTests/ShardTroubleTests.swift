import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Trouble during a run of a shard") struct ShardTroubleTests {
  let fixture: ShardFixture

  init() throws { fixture = try ShardFixture() }

  @Test("a manifest without stores is refused, because it probably comes from a wrong folder")
  func noStores() throws {
    _ = try fixture.manifest([])
    #expect {
      try fixture.run(fixture.settings())
    } throws: {
      if case .noStores = $0 as? ShardError { true } else { false }
    }
  }

  @Test("a removed folder of unfinished results is made again")
  func removedUnfinished() throws {
    let paths = try fixture.copies((1...6).map { "s\($0).sqlite" })
    try fixture.manifest(paths)
    let place = fixture.folder.path("out/.unfinished")
    var isRemoved = false
    let counts = try fixture.run(fixture.settings()) { _ in
      if !isRemoved { try? FileManager.default.removeItem(atPath: place) }
      isRemoved = true
      return false
    }
    #expect(counts.isComplete && counts.done == 6, "\(counts)")
  }

  @Test("a store whose result can't be delivered isn't refused, and the next run delivers it")
  func output() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.manifest(paths)
    // A file has the name of a folder that one of the results needs.
    let place = fixture.folder.path("out/\(PathKey(of: FileName(paths[0])).folder.prefix(2))")
    try Data().write(to: URL(fileURLWithPath: place))
    let settings = fixture.settings()
    let counts = try fixture.run(settings)
    #expect(counts.results == [.done: 1, .later: 1])
    #expect(counts.later == ["files": 1])
    #expect(try fixture.leftovers().isEmpty)
    try FileManager.default.removeItem(atPath: place)
    let rest = try fixture.run(settings)
    #expect(rest.isComplete && rest.done == 2 && rest.skipped == 1)
  }

  @Test("a result that is missing in the output is made again, even if the ledger has its line")
  func lostResults() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite", "c.sqlite"])
    try fixture.manifest(paths)
    let settings = fixture.settings()
    _ = try fixture.run(settings)
    try FileManager.default.removeItem(atPath: fixture.result(paths[0]))
    let folder = URL(fileURLWithPath: fixture.result(paths[1])).deletingLastPathComponent()
    try FileManager.default.removeItem(at: folder)
    let counts = try fixture.run(settings)
    #expect(counts.done == 3 && counts.skipped == 1, "\(counts)")
    for path in paths { #expect(FileManager.default.fileExists(atPath: fixture.result(path))) }
  }

  @Test("a damaged result is made again, even if the ledger has its line")
  func damagedResults() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.folder.write("x", to: "in/.b_SUPPORT/_EXTERNAL_DATA/B1")
    try fixture.manifest(paths)
    let settings = fixture.settings()
    #expect(try fixture.run(settings).done == 2)
    try Data().write(to: URL(fileURLWithPath: fixture.result(paths[0])))
    #expect(try fixture.run(settings).skipped == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.result(paths[0]))).count > 4096)
    let folder = URL(fileURLWithPath: fixture.result(paths[1])).deletingLastPathComponent()
    let support = folder.path + "/.b_SUPPORT"
    let external = support + "/_EXTERNAL_DATA/B1"
    try #require(FileManager.default.fileExists(atPath: external))
    try FileManager.default.removeItem(atPath: support)
    #expect(try fixture.run(settings).skipped == 1)
    #expect(FileManager.default.fileExists(atPath: external))
  }

  @Test("a store whose source was removed after its migration stays done, and counts once")
  func pruned() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.manifest(paths)
    let settings = fixture.settings()
    #expect(try fixture.run(settings).done == 2)
    try FileManager.default.removeItem(atPath: paths[0])
    let counts = try fixture.run(settings)
    #expect(counts.results == [.done: 2] && counts.skipped == 2, "\(counts)")
    // If the ledger's newest line says “later”, the run adds a line for the result.
    var later = LedgerLine(
      path: FileName(paths[0]), settings: "s", result: .later, seconds: 1, ended: Timestamp.text())
    later.reason = "no-such-file"
    let handle = try #require(FileHandle(forWritingAtPath: settings.ledger))
    try handle.seekToEnd()
    try handle.write(contentsOf: try LedgerRecord.store(later).encoded())
    #expect(try fixture.run(settings).results == [.done: 2])
    var sum = LedgerSum()
    try sum.add(settings.ledger)
    sum.finish()
    #expect((sum.done, sum.twice) == (2, 0))
    // For other settings the removed store has no result.
    try fixture.folder.write("{}", to: "Models/Notes/family.json5")
    #expect(try fixture.run(settings).refused == ["no-such-file": 1])
  }

  @Test("a stop ends a worker that doesn't answer")
  func silentWorker() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    let script = """
      #!/bin/bash
      trap '' TERM
      shift
      coproc inner { exec "\(Repository.program("decant"))" --worker "$@"; }
      read -r line <&"${inner[0]}"; echo "$line"
      read -r job
      echo > "\(fixture.folder.path("begun"))"
      exec sleep 600
      """
    let file = try fixture.folder.write(script, to: "silent.sh").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    var settings = fixture.settings(jobs: 1)
    settings.program = file
    settings.hangSeconds = 40
    settings.stopSeconds = 1
    let begun = fixture.folder.path("begun")
    let counts = try fixture.run(settings) { _ in FileManager.default.fileExists(atPath: begun) }
    #expect(counts.isStopped && counts.settled == 0)
    #expect(counts.seconds < 30, "\(counts.seconds)")
  }

  @Test("the ledger of another output is refused")
  func otherOutput() throws {
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    var settings = fixture.settings()
    _ = try fixture.run(settings)
    let (ledger, output) = (settings.ledger, settings.output)
    settings.output = fixture.folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: settings.output, withIntermediateDirectories: true)
    let other = settings
    #expect(throws: ShardError.otherOutput(ledger: ledger, held: output)) { try fixture.run(other) }
  }

  @Test(
    "a manifest that changes during the run ends it, and the next run gives the same advice",
    arguments: [1, 0])
  func changedManifest(kept: Int) throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    let manifest = try fixture.manifest(paths)
    // Either the second path is missing, or it is cut off, so that the file isn't a manifest any more.
    let length = off_t(paths[0].utf8.count + 1 + (kept == 1 ? 0 : 9))
    var advice: [String] = []
    for _ in 1...2 {
      #expect {
        try fixture.run(fixture.settings()) { _ in
          _ = truncate(manifest, length)
          return false
        }
      } throws: {
        let error = $0 as? ShardError
        advice.append(error?.advice ?? "")
        return if case .changedManifest? = error { true } else { false }
      }
      try fixture.manifest(paths)
    }
    try fixture.manifest([paths[0]])
    #expect {
      try fixture.run(fixture.settings())
    } throws: {
      let error = $0 as? ShardError
      advice.append(error?.advice ?? "")
      return if case .otherManifest? = error { true } else { false }
    }
    #expect(Set(advice).count == 1 && advice[0].contains("Put the earlier manifest back"), "\(advice)")
    // The advice is right: with the earlier manifest the shard is finished.
    try fixture.manifest(paths)
    #expect(try fixture.run(fixture.settings()).done == 2)
  }

  // MARK: Missing stores

  @Test("if all stores of a shard are missing, they are tried again, because their disk may not be mounted")
  func nothingMounted() throws {
    let (place, aside) = (fixture.folder.path("in"), fixture.folder.path("aside"))
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    try fixture.manifest(paths)
    let settings = fixture.settings()
    // The mount point is empty, and then missing.
    for makesPlace in [true, false] {
      try FileManager.default.moveItem(atPath: place, toPath: aside)
      if makesPlace {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      }
      let counts = try fixture.run(settings)
      #expect(counts.results == [.later: 2] && counts.later == ["no-such-file": 2], "\(counts)")
      #expect(!counts.isComplete)
      let message = try #require(try fixture.line(settings, of: paths[0])?.message)
      #expect(
        message.contains(makesPlace ? "No store of the shard was there" : "Its folder isn't there either")
          && message.contains("is mounted"), "\(message)")
      if makesPlace { try FileManager.default.removeItem(atPath: place) }
      try FileManager.default.moveItem(atPath: aside, toPath: place)
    }
    let counts = try fixture.run(settings)
    #expect(counts.isComplete && counts.done == 2, "\(counts)")
  }

  @Test("a store that is missing in its folder is refused, even if it is the shard's only store")
  func onlyRemoved() throws {
    try fixture.manifest([fixture.folder.path("in/none.sqlite")])
    let counts = try fixture.run(fixture.settings())
    #expect(counts.results == [.refused: 1] && counts.refused == ["no-such-file": 1], "\(counts)")
  }

  @Test("stores that this user may not read are tried again", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let paths = try fixture.copies(["a.sqlite", "b.sqlite"])
    for path in paths { chmod(path, 0) }
    try fixture.manifest(paths)
    let all = try fixture.run(fixture.settings())
    #expect(all.later == ["permission": 2] && all.isForbidden, "\(all)")
    chmod(paths[0], 0o600)
    let one = try fixture.run(fixture.settings())
    #expect(one.results == [.done: 1, .later: 1] && !one.isForbidden, "\(one)")
  }

  @Test("a store whose folder is missing is tried again; a store that is missing in its folder is refused")
  func partlyMounted() throws {
    let good = fixture.folder.path("in/one.sqlite")
    let paths = ["in/none.sqlite", "volume/users/7/x.sqlite", "link/x.sqlite", "in/one.sqlite/x.sqlite"].map {
      fixture.folder.path($0)
    }
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path("link"), withDestinationPath: fixture.folder.path("volume"))
    // The store's folder exists and is empty.
    let removed = fixture.folder.path("empty/x.sqlite")
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("empty"), withIntermediateDirectories: true)
    try fixture.manifest([removed] + paths + [good])
    let counts = try fixture.run(fixture.settings())
    #expect(counts.results == [.done: 1, .refused: 3, .later: 2], "\(counts)")
    for path in [removed, paths[0], paths[3]] {
      #expect(try fixture.line(fixture.settings(), of: path)?.result == .refused, "\(path)")
    }
    for path in paths[1...2] {
      #expect(try fixture.line(fixture.settings(), of: path)?.result == .later, "\(path)")
    }
  }

  @Test("a result and the files beside it have the source's mode and owner")
  func access() throws {
    let paths = try fixture.copies(["private.sqlite", "shared.sqlite"])
    chmod(paths[0], 0o600)
    chmod(paths[1], 0o640)
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(paths[1], 4711, 4712) == 0) }
    try fixture.manifest(paths)
    #expect(try fixture.run(fixture.settings()).done == 2)
    for (path, mode) in [(paths[0], mode_t(0o600)), (paths[1], 0o640)] {
      let folder = URL(fileURLWithPath: fixture.result(path)).deletingLastPathComponent()
      for name in [fixture.result(path), folder.path + "/report.json"] {
        var status = stat()
        #expect(lstat(name, &status) == 0 && status.st_mode & 0o777 == mode, "\(name)")
        if isRoot { #expect((status.st_uid, status.st_gid) == (mode == 0o640 ? (4711, 4712) : (0, getegid()))) }
      }
    }
  }

  @Test("a store that --find doesn't find again leaves the shard unfinished")
  func renamedStore() throws {
    let paths = try fixture.copies(["a.sqlite"])
    let run = try ShardRun(
      fixture.settings(), Manifest(folder: fixture.folder.path("in")), shouldStop: { false }
    ) { _ in }
    try FileManager.default.moveItem(atPath: paths[0], toPath: paths[0] + ".new")
    let counts = try run.run()
    #expect((counts.settled, counts.stores) == (1, 2))
    #expect(!counts.isComplete && counts.obstacle != nil)
  }

  @Test(
    "an earlier result that a killed run had moved away is put back, even if the store can't be migrated now")
  func movedAway() throws {
    let path = fixture.folder.path("in/one.sqlite")
    try fixture.manifest([path])
    let settings = fixture.settings()
    _ = try fixture.run(settings)
    let key = PathKey(of: FileName(path))
    let digest = try Manifest(file: fixture.folder.path("manifest")).survey(.whole).digest
    let shard = PathKey(digesting: Array("\(settings.output)\0\(digest)\0\(settings.shard)".utf8))
    let left = fixture.folder.path("out/.unfinished/\(shard.hex)-another")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: fixture.folder.path("out/\(key.folder)"), toPath: "\(left)/\(key.hex).replaced")
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try fixture.run(settings).results == [.refused: 1])
    #expect(FileManager.default.fileExists(atPath: fixture.result(path)))
  }

  @Test("a store is refused once because of a faulty catalogue, and tried again when the catalogue has changed")
  func catalogue() throws {
    let other = "Models/Other/Other.xcdatamodeld"
    let model = try String(
      contentsOfFile: fixture.folder.path("Models/Notes/Notes.xcdatamodeld/Notes.xcdatamodel/contents"),
      encoding: .utf8)
    try fixture.folder.write(
      model.replacing("mood", with: "other"), to: "\(other)/Other.xcdatamodel/contents")
    try fixture.manifest([fixture.folder.path("in/one.sqlite")])
    try fixture.folder.write("{ target: \"none\" }", to: "Models/Notes/family.json5")
    let settings = fixture.settings()
    let first = try fixture.run(settings)
    #expect(first.results == [.refused: 1], "\(first)")
    #expect(try fixture.run(settings).skipped == 1)
    try fixture.folder.write("{}", to: "Models/Notes/family.json5")
    #expect(try fixture.run(settings).done == 1)
  }
}
