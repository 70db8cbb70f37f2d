import DecantMigration
import DecantReport
import DecantTestSupport
import FileNames
import Foundation
import Glibc
import SpoolSupport
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Claims")
struct ClaimTests {
  private let folder: TemporaryFolder
  private let spool: Spool

  init() throws {
    folder = try TemporaryFolder.short()
    spool = try Spool(path: folder.path("spool"))
  }

  private func claim(_ name: String) throws -> Claim.Outcome {
    let scan = try IncomingScan(of: spool.incoming, access: .current, now: 0)
    let drop = try #require(scan.sightings.first { $0.name == FileName(name) }?.drop)
    return try Claim(spool: spool).take(drop, arrival: 1, at: 1_795_183_200)
  }

  @Test("a request beside the store is read")
  func request() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write("{ to: 'Notas 2', family: 'Notas', priority: -7 }", to: "spool/incoming/N.request.json5")
    guard case .claimed(let record, nil) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(record.target == "Notas 2")
    #expect(record.family == "Notas")
    #expect(record.priority == -7)
    #expect(record.bytes > 1)
    #expect(try folder.names("spool/incoming").isEmpty)
  }

  @Test(
    "a store whose request can't be used is refused with the reason",
    arguments: [
      ("{ too: 'x' }", "“too” isn't a known key."), ("{ priority: 1000 }", "“priority” is 1000."),
      ("{ to: 3 }", "“to” is 3."), ("nonsense", "it isn't JSON5"), ("", "it isn't JSON5"),
    ])
  func badRequest(text: String, sentence: String) throws {
    try folder.write("x", to: "spool/incoming/F/N.sqlite")
    try folder.write(text, to: "spool/incoming/F/any.request.json5")
    guard case .claimed(let record, let refusal) = try claim("F") else { return #expect(Bool(false)) }
    #expect(record.state == .refusing)
    #expect(refusal?.reason == .badRequest)
    #expect(refusal?.message.contains(sentence) == true, "\(refusal?.message ?? "")")
  }

  @Test(
    "a store whose request is a folder or too long is refused, and not reported as a failed disk",
    .timeLimit(.minutes(10)), arguments: [("folder", "it isn't a regular file"), ("long", "more than 64 KiB")])
  func noRequest(kind: String, words: String) throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    if kind == "folder" {
      try folder.makeFolder("spool/incoming/N.sqlite.request.json5")
    } else {
      try folder.write(String(repeating: " ", count: 70_000), to: "spool/incoming/N.sqlite.request.json5")
    }
    guard case .claimed(let record, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    let message = refusal?.message ?? ""
    #expect(record.state == .refusing && message.contains("N.sqlite.request.json5"), "\(message)")
    #expect(message.contains(words), "\(message)")
  }

  @Test(
    "a pipe or socket in place of a request is moved back with its store",
    .timeLimit(.minutes(10)), arguments: [S_IFIFO, S_IFSOCK])
  func irregularRequest(kind: mode_t) throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    let path = folder.path("spool/incoming/N.sqlite.request.json5")
    try #require(mknod(path, kind | 0o600, 0) == 0)
    guard case .vanished = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(try folder.names("spool/incoming").sorted() == ["N.sqlite", "N.sqlite.request.json5"])
    #expect(try folder.names("spool/work").isEmpty)
  }

  @Test("reading a socket in a folder isn't reported as a failed disk")
  func socketInAFolder() throws {
    try #require(mknod(folder.path("spool/incoming/S"), S_IFSOCK | 0o600, 0) == 0)
    let failure = #expect(throws: FileFailure.self) { try spool.incoming.read("S", limit: 10) }
    #expect(failure?.isOfDisk == false && failure?.isPassing == false)
    #expect(failure?.description.contains("it isn't a regular file") == true)
  }

  @Test("a store whose request isn't text is refused")
  func requestOfBytes() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try (Data("{Na".utf8) + [0xfe] + Data(" \"to\"}".utf8)).write(
      to: URL(fileURLWithPath: folder.path("spool/incoming/N.sqlite.request.json5")))
    guard case .claimed(let record, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(record.state == .refusing)
    #expect(refusal?.message.contains("the text isn't UTF-8") == true)
  }

  @Test("a store whose request is too large is refused")
  func bigRequest() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write(String(repeating: " ", count: 70_000), to: "spool/incoming/N.sqlite.request.json5")
    guard case .claimed(_, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(refusal?.reason == .badRequest)
  }

  /// Links that can appear in a drop between the scan and the rename.
  enum Intruder: String, CaseIterable { case symbolicLink, hardLink, folderLink, innerLink }

  @Test(
    "a drop in which a link appears after the scan is moved back, and the next scan reports an obstacle",
    arguments: Intruder.allCases)
  func slippedIn(intruder: Intruder) throws {
    let isFolder = intruder == .folderLink || intruder == .innerLink
    let name = isFolder ? "F" : "N.sqlite"
    try folder.write("x", to: "spool/incoming/" + (isFolder ? "F/N.sqlite" : name))
    try folder.write("secret", to: "elsewhere/N.sqlite")
    let scan = try IncomingScan(of: spool.incoming, access: .current, now: 0)
    let drop = try #require(scan.sightings.first?.drop)
    let (place, target) = (folder.path("spool/incoming/\(name)"), folder.path("elsewhere/N.sqlite"))
    switch intruder {
    case .symbolicLink:
      unlink(place)
      #expect(symlink(target, place) == 0)
    case .hardLink:
      unlink(place)
      #expect(link(target, place) == 0)
    case .folderLink:
      #expect(rename(place, folder.path("away")) == 0 && symlink(folder.path("elsewhere"), place) == 0)
    case .innerLink: #expect(symlink(target, place + "/X") == 0)
    }
    guard case .vanished = try Claim(spool: spool).take(drop, arrival: 1, at: 0) else {
      return #expect(Bool(false))
    }
    #expect(try folder.names("spool/incoming") == [name])
    #expect(try folder.names("spool/work").isEmpty)
    let next = try IncomingScan(of: spool.incoming, access: .current, now: 0)
    #expect(next.sightings.first?.obstacles.isEmpty == false)
    #expect(try folder.text("elsewhere/N.sqlite") == "secret")
  }

  @Test(
    "a symbolic link made in a claimed folder never reaches failed or done, and no file there has a second hard link",
    arguments: [true, false])
  func lateLink(isRefused: Bool) throws {
    try folder.write("x", to: "spool/incoming/F/N.sqlite")
    try folder.write("x", to: "spool/incoming/F/.N_SUPPORT/_EXTERNAL_DATA/A")
    guard case .claimed(var record, nil) = try claim("F") else { return #expect(Bool(false)) }
    let job = try JobFolder(record.id, in: spool)
    let departure = Departure(spool: spool, folder: job)
    let source = folder.path("spool/work/\(record.id)/source")
    for place in ["L", ".N_SUPPORT/_EXTERNAL_DATA/L"] {
      #expect(symlink("/etc/passwd", "\(source)/\(place)") == 0)
    }
    #expect(mkfifo("\(source)/P", 0o600) == 0)
    // Names that aren't UTF-8: a link, a file, and a folder with a link.
    func odd(_ path: String, _ make: (UnsafePointer<CChar>) -> Int32) {
      #expect(Array("\(source)/\(path)".utf8 + [0xFF]).withNullTerminated(make) == 0)
    }
    odd("l") { symlink("/etc/passwd", $0) }
    odd("f") { close(open($0, O_CREAT | O_WRONLY, 0o600)) }
    odd("d") { mkdir($0, 0o700) }
    #expect(
      Array("\(source)/d".utf8 + [0xFF] + "/l".utf8).withNullTerminated { symlink("/etc/passwd", $0) } == 0)
    try folder.write("mine", to: "elsewhere")
    chmod(folder.path("elsewhere"), 0o640)
    #expect(link(folder.path("elsewhere"), "\(source)/H") == 0)
    #expect(link("\(source)/N.sqlite", folder.path("other name")) == 0)
    let times = [timespec(tv_sec: 1_000_000, tv_nsec: 5), timespec(tv_sec: 1_000_000, tv_nsec: 5)]
    #expect(utimensat(AT_FDCWD, "\(source)/N.sqlite", times, 0) == 0)
    if isRefused {
      try departure.refuse(&record, MigrationFailure(.irregularFile, message: "m"), at: 0)
    } else {
      let report = MigrationReport(
        result: .alreadyCurrent, store: "N.sqlite", family: "Notas", sourceVersion: "1", targetVersion: "1",
        decantVersion: "t")
      try departure.deliver(&record, report, originals: .keep)
    }
    try departure.complete(record)
    let end = isRefused ? "spool/failed/\(record.id)/original" : "spool/done/F"
    let names = try folder.names(end)
    #expect(names.contains("N.sqlite") && !names.contains("L") && !names.contains("P"), "\(names)")
    // A write through the other name doesn't change the file in the job's folder.
    for (name, text) in [("H", "mine"), ("N.sqlite", "x")] {
      var status = stat()
      #expect(lstat(folder.path("\(end)/\(name)"), &status) == 0 && status.st_nlink == 1, "\(name)")
      #expect(status.st_mode & 0o777 == 0o600 && (name == "H" || status.st_mtim.tv_sec == 1_000_000), "\(name)")
      #expect(try folder.text("\(end)/\(name)") == text)
    }
    #expect(try folder.text("other name") == "x" && folder.text("elsewhere") == "mine")
    #expect(try folder.names("\(end)/.N_SUPPORT/_EXTERNAL_DATA") == ["A"])
    let handle = try FolderHandle(path: folder.path(end))
    let oddNames = try handle.names().filter { !$0.isText }.sorted()
    #expect(oddNames == ["d", "f"].map { FileName(bytes: Array($0.utf8) + [0xFF]) })
    #expect(try handle.folder(oddNames[0]).names().isEmpty)
  }

  @Test("a drop that vanishes doesn't become a job, and its files that were moved are put back")
  func vanished() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write("w", to: "spool/incoming/N.sqlite-wal")
    let scan = try IncomingScan(of: spool.incoming, access: .current, now: 0)
    let drop = try #require(scan.sightings.first?.drop)
    unlink(folder.path("spool/incoming/N.sqlite"))
    guard case .vanished = try Claim(spool: spool).take(drop, arrival: 1, at: 0) else {
      return #expect(Bool(false))
    }
    #expect(try folder.names("spool/incoming") == ["N.sqlite-wal"])
    #expect(try folder.names("spool/work").isEmpty)
  }
}
