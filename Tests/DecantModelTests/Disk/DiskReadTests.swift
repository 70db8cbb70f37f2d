import DecantTestSupport
import Foundation
import Testing

@testable import DecantModel

@Suite("Files that are read as a whole", .timeLimit(.minutes(10)))
struct DiskReadTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file") }

  init() throws { folder = try TemporaryFolder("decant-read") }

  private func problem(limit: Int = 10, of path: String? = nil) -> FileProblem? {
    do throws(FileProblem) {
      _ = try DiskRead.contents(of: path ?? self.path, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test("a file up to the limit is read, also through a link; one byte more is refused")
  func limit() throws {
    try folder.write("0123456789", to: "file")
    symlink("file", folder.path("link"))
    #expect(try DiskRead.contents(of: folder.path("link"), limit: 10) == Data("0123456789".utf8))
    #expect(problem(limit: 9) == .tooLarge(limit: 9))
    #expect(FileProblem.tooLarge(limit: 4 << 20).description.contains("more than 4 MiB"))
    #expect(FileProblem.tooLarge(limit: 65_536).description.contains("more than 64 KiB"))
    // The size of a file in /proc is known only after reading it.
    #expect(problem(limit: 10, of: "/proc/self/status") == .tooLarge(limit: 10))
    #expect(try !DiskRead.contents(of: "/proc/self/status", limit: 1 << 20).isEmpty)
  }

  @Test(
    "a FIFO, a socket, a folder and a device are refused at once, and aren't disk failures",
    arguments: ["FIFO", "socket", "folder", "device"])
  func kinds(kind: String) throws {
    let watch = DiskWatch(at: [folder.url.path, "/dev/null"])
    var path = path
    switch kind {
    case "FIFO": try #require(mkfifo(path, 0o600) == 0)
    case "socket": try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case "folder": try folder.write("", to: "file/within")
    default: path = "/dev/null"
    }
    #expect(problem(of: path) == .notAFile)
    symlink(path, folder.path("link"))
    #expect(problem(of: folder.path("link")) == .notAFile)
    #expect(DiskRead.openFile(path) == -1 && [ENOTSUP, EISDIR].contains(errno))
    #expect(watch.failure == nil)
  }

  @Test("other errors keep their errno, and ENXIO from a file is a disk failure")
  func errors() throws {
    #expect(problem() == .system(ENOENT))
    symlink("loop", folder.path("loop"))
    #expect(problem(of: folder.path("loop")) == .system(ELOOP))
    try folder.write("x", to: "file")
    let watch = DiskWatch(at: [path])
    DiskFaultPlan(at: path, failAt: 1, isPersistent: true, code: ENXIO).arming {
      #expect(problem() == .system(ENXIO))
    }
    #expect(watch.failure?.code == ENXIO)
  }
}
