import DecantTestSupport
import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("Manifests") struct ManifestTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-manifest") }

  private func paths(_ manifest: Manifest) throws -> [[UInt8]] {
    var paths = manifest.paths()
    var all: [[UInt8]] = []
    while let path = try paths.next() { all.append(path) }
    return all
  }

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.path("manifest-\(UUID().uuidString)")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("each line is a path; empty lines are ignored, and the last newline may be missing")
  func lines() throws {
    for text in ["/a/b\n\n/c d\n", "/a/b\n\n/c d"] {
      let manifest = try Manifest(file: try file(Array(text.utf8)))
      #expect(!manifest.usesNUL)
      #expect(try paths(manifest) == [Array("/a/b".utf8), Array("/c d".utf8)])
    }
  }

  @Test("paths that end with NUL bytes may hold newlines, and need not be UTF-8")
  func nul() throws {
    let names: [[UInt8]] = [Array("/new\nline".utf8), [0x2F, 0x63, 0x61, 0x66, 0xE9], Array("/é".utf8)]
    let manifest = try Manifest(file: try file(names.flatMap { $0 + [0] }))
    #expect(manifest.usesNUL)
    #expect(try paths(manifest) == names)
  }

  @Test("an empty manifest and a manifest of only newlines have no stores")
  func empty() throws {
    for text in ["", "\n\n\n"] {
      let manifest = try Manifest(file: try file(Array(text.utf8)))
      #expect(try paths(manifest).isEmpty)
      #expect(try manifest.survey(.whole).keys.isEmpty)
    }
  }

  @Test("a manifest has changed if it was written or replaced, but not if it was removed")
  func changes() throws {
    for kind in ["same", "written", "replaced", "removed"] {
      let path = try file(Array("/a\n".utf8))
      let manifest = try Manifest(file: path)
      switch kind {
      case "written": try Data("/a\n/b\n".utf8).write(to: URL(fileURLWithPath: path))
      case "replaced": try Data("/a\n/b\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      case "removed": try FileManager.default.removeItem(atPath: path)
      default: break
      }
      #expect(manifest.hasChanged == ["written", "replaced"].contains(kind), "\(kind)")
    }
  }

  @Test("a record longer than any path is refused with its number")
  func long() throws {
    let path = try file(Array("/a\n".utf8) + [UInt8](repeating: 0x78, count: 3 << 20))
    let manifest = try Manifest(file: path)
    #expect(throws: ShardError.badManifest(path: path, record: 2, .long)) { try manifest.survey(.whole) }
    let longest = [0x2F] + [UInt8](repeating: 0x78, count: Manifest.longestPath - 1)
    #expect(try paths(Manifest(file: try file(longest + [0x0A]))) == [longest])
    let more = try file(longest + [0x78, 0x0A])
    #expect(throws: ShardError.badManifest(path: more, record: 1, .long)) {
      try Manifest(file: more).survey(.whole)
    }
  }

  @Test("ambiguous records are refused with their number and a reason")
  func ambiguous() throws {
    let start = String(repeating: "/" + String(repeating: "x", count: 99) + "\n", count: 100)
    let cases: [(text: String, record: Int, fault: ManifestFault)] = [
      ("\(start)/a\0b\n", 101, .mixed), ("/a\n/b\0/c", 2, .cut), ("/a\n/b\0/c\n", 2, .cut),
      ("/a\r\n/b\r\n", 1, .carriageReturn), ("/a\nb\n", 2, .relative), ("./a\0", 1, .relative),
    ]
    for (text, record, fault) in cases {
      let path = try file(Array(text.utf8))
      let manifest = try Manifest(file: path)
      #expect(throws: ShardError.badManifest(path: path, record: record, fault)) {
        try manifest.survey(.whole)
      }
      #expect(!fault.advice.isEmpty)
    }
    #expect(try paths(Manifest(file: try file(Array("/a\r\0".utf8)))) == [Array("/a\r".utf8)])
  }

  @Test("a manifest that isn't a file is refused at once, also a FIFO without a writer")
  func kinds() throws {
    let fifo = folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    for path in [fifo, folder.url.path] {
      #expect(throws: ShardError.notAFile(path: path)) { try Manifest(file: path) }
    }
    let none = folder.path("none")
    #expect(throws: ShardError.file(path: none, action: "read", code: ENOENT)) { try Manifest(file: none) }
  }

  @Test("a survey counts records and duplicates, and gives the SHA-256 of the file")
  func survey() throws {
    let survey = try Manifest(file: try file(Array("/a\n/b\n/a\n/a\n".utf8))).survey(.whole)
    #expect(survey.records == 4)
    #expect(survey.duplicates == 2)
    #expect(survey.keys == [PathKey(of: "/a"), PathKey(of: "/b")])
    // The result of: printf '/a\n/b\n/a\n/a\n' | sha256sum
    #expect(survey.digest == "ed7db06ef8aedb1efd03fefb0b8e972036e606ba7fd92102612d8edb98c8dada")
  }

  @Test("a million lines are surveyed, and a shard keeps only its own keys")
  func million() throws {
    let path = folder.path("million")
    let file = try #require(fopen(path, "w"))
    for number in 0..<1_000_000 { fputs("/backup/\(number % 1000)/store-\(number).sqlite\n", file) }
    fclose(file)
    let shard = try Shard("3/1000")
    let survey = try Manifest(file: path).survey(shard)
    #expect(survey.records == 1_000_000)
    // The expected number of keys is 1,000, with a standard deviation of 32.
    #expect((800...1200).contains(survey.keys.count), "\(survey.keys.count)")
    let manifest = try Manifest(file: path)
    var number = 0
    #expect(throws: ShardError.stopped) {
      try manifest.survey(.whole) {
        number += 1
        return number < 3
      }
    }
  }

  @Test("a folder gives the SQLite files below it in the order of bytes, without logs, links and external data")
  func walk() throws {
    let magic = "SQLite format 3\0"
    for name in [
      "b/two.sqlite", "a.sqlite", "B.sqlite", "b/.two_SUPPORT/inner", "b/two.sqlite-wal", "b/c/d/deep",
    ] {
      try folder.write(magic, to: "root/\(name)")
    }
    try folder.write("text", to: "root/readme")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("root/link.sqlite"), withDestinationPath: folder.path("root/a.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("root/loop"), withDestinationPath: folder.path("root"))
    let root = folder.path("root")
    let found = try paths(Manifest(folder: root)).map { String(decoding: $0, as: UTF8.self) }
    #expect(found == ["B.sqlite", "a.sqlite", "b/c/d/deep", "b/two.sqlite"].map { "\(root)/\($0)" })
    let none = folder.path("root/none")
    #expect(throws: ShardError.file(path: none, action: "read", code: ENOENT)) {
      try paths(Manifest(folder: none))
    }
  }
}
