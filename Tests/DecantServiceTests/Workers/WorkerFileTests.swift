import DecantTestSupport
import DecantWorker
import Foundation
import Glibc
import Testing

@Suite("The check of a worker's file") struct WorkerFileTests {
  @Test("a file or folder that others can write to is refused, except a folder with a sticky bit")
  func writable() throws {
    let folder = try TemporaryFolder("decant-worker-file")
    let file = try folder.write("#!/bin/sh", to: "bin/worker").path
    func problem(file mode: mode_t, folder folderMode: mode_t) -> String? {
      #expect(chmod(file, mode) == 0 && chmod(folder.path("bin"), folderMode) == 0)
      return WorkerFile.problem(with: file)
    }
    #expect(problem(file: 0o755, folder: 0o755) == nil)
    #expect(problem(file: 0o755, folder: 0o1777) == nil)
    for mode: mode_t in [0o777, 0o775, 0o1777, 0o1775] {
      #expect(problem(file: mode, folder: 0o755)?.hasPrefix("The worker “\(file)” can be written to") == true)
    }
    #expect(problem(file: 0o755, folder: 0o777)?.hasPrefix("The folder of the worker") == true)
  }
}
