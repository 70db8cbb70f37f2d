import Foundation
import Testing

@testable import DecantModel

@Suite("Watches for disk failures")
struct DiskWatchTests {
  /// The path that a watch of `place` keeps after a failure of `path`; nil if the watch ignores the failure.
  private func seen(at place: String, failing path: String) -> String? {
    let watch = DiskWatch(at: [place])
    DiskWatch.note(path, "read", EIO)
    return watch.failure?.path
  }

  @Test("a watch is for its place, everything below and SQLite's files beside it; names are compared by bytes")
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

  @Test("the places of a path are the path itself, and the path with its folder's links resolved")
  func resolvedPlaces() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
      .appendingPathComponent("watch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
    try FileManager.default.createSymbolicLink(atPath: folder + "/real/a", withDestinationPath: "b")
    let paths = [folder + "/link/a", folder + "/link/none", folder + "/link", folder + "/none/x", "/x", "/"]
    #expect(
      DiskWatch.places(paths) == [
        paths[0], folder + "/real/a", paths[1], folder + "/real/none", paths[2], paths[2], paths[3], paths[3],
        "/x", "/x", "/", "/",
      ])
    let here = try #require(realpath(".", nil).map { String(cString: $0) })
    #expect(DiskWatch.places(["x", ".", "./y"]) == ["x", here + "/x", ".", here, "./y", here + "/y"])
  }

  @Test("each watch keeps its own first failure, even if many others follow")
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
