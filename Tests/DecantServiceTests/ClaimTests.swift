import FileNames
import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("Claims")
struct ClaimTests {
  private let folder: TemporaryFolder
  private let spool: Spool

  init() throws {
    folder = try TemporaryFolder()
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
    "a request that can't be used refuses the store with the reason",
    arguments: [
      ("{ too: 'x' }", "there is no “too”."), ("{ priority: 1000 }", "“priority” is 1000."),
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
    "a request that is no file, or too long, refuses the store and doesn't wait for a disk",
    .timeLimit(.minutes(10)), arguments: ["fifo", "socket", "folder", "long"])
  func noRequest(kind: String) throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    let path = folder.path("spool/incoming/N.sqlite.request.json5")
    switch kind {
    case "fifo": try #require(mkfifo(path, 0o600) == 0)
    case "socket": try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case "folder": try folder.makeFolder("spool/incoming/N.sqlite.request.json5")
    default:
      try folder.write(String(repeating: " ", count: 70_000), to: "spool/incoming/N.sqlite.request.json5")
    }
    guard case .claimed(let record, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    let message = refusal?.message ?? ""
    #expect(record.state == .refusing && message.contains("N.sqlite.request.json5"), "\(message)")
    let words = ["long": "more than 64 KiB", "folder": "it is no regular file"]
    #expect(message.contains(words[kind] ?? "is not a plain file"), "\(message)")
  }

  @Test("a folder's reader calls a socket by its name, and no failed disk")
  func socketInAFolder() throws {
    try #require(mknod(folder.path("spool/incoming/S"), S_IFSOCK | 0o600, 0) == 0)
    let failure = #expect(throws: FileFailure.self) { try spool.incoming.read("S", limit: 10) }
    #expect(failure?.isOfDisk == false && failure?.isPassing == false)
    #expect(failure?.description.contains("it is no regular file") == true)
  }

  @Test("a request that is no text refuses the store, and the daemon lives")
  func requestOfBytes() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try (Data("{Na".utf8) + [0xfe] + Data(" \"to\"}".utf8)).write(
      to: URL(fileURLWithPath: folder.path("spool/incoming/N.sqlite.request.json5")))
    guard case .claimed(let record, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(record.state == .refusing)
    #expect(refusal?.message.contains("the text isn't UTF-8") == true)
  }

  @Test("a request above its size is refused")
  func bigRequest() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write(String(repeating: " ", count: 70_000), to: "spool/incoming/N.sqlite.request.json5")
    guard case .claimed(_, let refusal) = try claim("N.sqlite") else { return #expect(Bool(false)) }
    #expect(refusal?.reason == .badRequest)
  }

  @Test("a link that slips in between look and rename is not followed")
  func slippedIn() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    let scan = try IncomingScan(of: spool.incoming, access: .current, now: 0)
    let drop = try #require(scan.sightings.first?.drop)
    unlink(folder.path("spool/incoming/N.sqlite"))
    symlink("/etc/passwd", folder.path("spool/incoming/N.sqlite"))
    guard case .claimed(let record, let refusal) = try Claim(spool: spool).take(drop, arrival: 1, at: 0) else {
      return #expect(Bool(false))
    }
    #expect(refusal?.reason == .irregularFile)
    try Departure(spool: spool, folder: JobFolder(record.id, in: spool)).complete(record)
    let end = folder.path("spool/failed/\(record.id)/original/N.sqlite")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: end) == "/etc/passwd")
  }

  @Test("a drop that vanishes is no job, and what was taken of it is put back")
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
