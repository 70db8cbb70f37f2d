import DecantTestSupport
import Foundation
import Testing

@testable import DecantModel
@testable import DecantStore

@Suite("The copy of a source that becomes a working file") struct WorkingCopyTests {
  private let folder: TemporaryFolder
  private let content: Data
  private var source: String { folder.path("source.sqlite") }
  private var place: String { folder.path("step-1.sqlite.partial") }

  init() throws {
    folder = try TemporaryFolder("decant-copy")
    content = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    try content.write(to: folder.url.appendingPathComponent("source.sqlite"))
  }

  private func copy(_ identity: String = "a") -> WorkingCopy {
    var copy = WorkingCopy(of: source, to: place, identity: identity)
    (copy.piece, copy.stretch, copy.sharesBlocks) = (500, 1_000, false)
    return copy
  }

  /// The source's bytes, with the header bytes of the rollback journal mode.
  private var expected: Data {
    var data = content
    data.replaceSubrange(18..<20, with: [1, 1])
    return data
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
  }

  @Test(
    "the copy has the source's bytes and the rollback journal mode", arguments: [true, false])
  func whole(sharesBlocks: Bool) throws {
    var copy = copy()
    copy.sharesBlocks = sharesBlocks
    try copy.make { true }
    #expect(FileManager.default.contents(atPath: place) == expected)
    #expect(FileManager.default.contents(atPath: source) == content)
    #expect(names == ["source.sqlite", "step-1.sqlite.partial"])
  }

  @Test("copying continues after the bytes that are certainly on the disk", arguments: 0..<20)
  func resumed(pieces: Int) throws {
    var left = pieces
    let error = #expect(throws: StoreError.self) {
      try copy().make {
        left -= 1
        return left >= 0
      }
    }
    #expect(error?.isStop == true)
    #expect(!FileManager.default.fileExists(atPath: place))
    // After a power failure, bytes that aren't noted may be wrong.
    let partial = folder.url.appendingPathComponent("step-1.sqlite.partial-copy")
    var bytes = try Data(contentsOf: partial)
    let noted = min(pieces / 2, 9) * 1_000
    bytes.replaceSubrange(noted..., with: Data(repeating: 0xee, count: bytes.count - noted))
    try bytes.write(to: partial)
    var asked = 0
    try copy().make {
      asked += 1
      return true
    }
    #expect(FileManager.default.contents(atPath: place) == expected)
    #expect(asked == 20 - noted / 500)
    #expect(names == ["source.sqlite", "step-1.sqlite.partial"])
  }

  @Test("copying starts again for other inputs, and after an impossible note")
  func unusable() throws {
    for note in ["4000 other", "99999 a", "-5 a", "", "x", "4000"] {
      try Data(repeating: 1, count: 5_000).write(
        to: folder.url.appendingPathComponent("step-1.sqlite.partial-copy"))
      try Data(note.utf8).write(to: folder.url.appendingPathComponent("step-1.sqlite.partial-copied"))
      try copy().make { true }
      #expect(FileManager.default.contents(atPath: place) == expected, "\(note)")
      try FileManager.default.removeItem(atPath: place)
    }
  }

  @Test("the error names the file that can't be read or written")
  func failures() throws {
    let missing = #expect(throws: StoreError.self) {
      try WorkingCopy(of: folder.path("none"), to: place, identity: "a").make { true }
    }
    #expect("\(try #require(missing))".contains("none"))
    let noFolder = #expect(throws: StoreError.self) {
      try WorkingCopy(of: source, to: folder.path("no/file"), identity: "a").make { true }
    }
    #expect("\(try #require(noFolder))".contains("no/file"))
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
    #expect(throws: StoreError.self) { try WorkingCopy(of: link, to: place, identity: "a").make { true } }
    for number in 2...5 {
      let plan = DiskFaultPlan(at: source, failAt: number, isPersistent: false, code: EIO)
      let failed = #expect(throws: StoreError.self) { try plan.arming { try copy().make { true } } }
      #expect("\(try #require(failed))".contains("source.sqlite"), "\(number)")
      #expect(!FileManager.default.fileExists(atPath: place))
    }
    try copy().make { true }
    #expect(FileManager.default.contents(atPath: place) == expected)
  }
}
