import Foundation
import Testing

@testable import DecantModel

@Suite("Watches over disks")
struct DiskWatchTests {
  /// The path of a failure that a watch over `place` keeps.
  private func seen(at place: String, failing path: String) -> String? {
    let watch = DiskWatch(at: [place])
    DiskWatch.note(path, "read", EIO)
    return watch.failure?.path
  }

  @Test("a place is its own file, what lies below it, and SQLite's files beside it, by bytes")
  func places() {
    for end in ["", "/x", "/x/y", "-wal", "-shm", "-journal"] {
      #expect(seen(at: "/watched/cat", failing: "/watched/cat" + end) != nil, "\(end)")
    }
    for end in ["alogue/x", "2", "-wal2", "-old", ".partial"] {
      #expect(seen(at: "/watched/cat", failing: "/watched/cat" + end) == nil, "\(end)")
    }
    #expect(seen(at: "/watched/cat", failing: "/watched") == nil)
    #expect(seen(at: "/watched/cat/", failing: "/watched/cat/x") != nil)
    #expect(seen(at: "/watched/cat//", failing: "/watched/cat") != nil)
    #expect(seen(at: "/", failing: "/watched") != nil)
    #expect(seen(at: "/watched/caf\u{e9}", failing: "/watched/cafe\u{301}") == nil)
  }

  @Test("each watch keeps its own first failure, however many others come")
  func first() {
    let watch = DiskWatch(at: ["/watched/a"])
    DiskWatch.note("/watched/a/0", "read", ENOENT)
    #expect(watch.failure == nil)
    DiskWatch.note("/watched/a/1", "read", EIO)
    for number in 0..<1000 { DiskWatch.note("/watched/b/\(number)", "read", EIO) }
    DiskWatch.note("/watched/a/2", "read", ESTALE)
    #expect(watch.failure == DiskFailure(path: "/watched/a/1", action: "read", code: EIO))
    #expect(DiskWatch(at: ["/watched/a"]).failure == nil)
  }
}
