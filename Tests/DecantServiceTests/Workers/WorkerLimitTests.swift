import DecantTestSupport
import Foundation
import Testing

@testable import DecantService

@Suite("The limits of worker processes")
struct WorkerLimitTests {
  @Test("without a setting there are as many workers as processors")
  func number() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    #expect(ServiceConfiguration().workers == min(256, processors))
    #expect(ServiceConfiguration().poolSettings.count == min(256, processors))
    let read = try ServiceConfiguration.read(Data("{ workers: 7 }".utf8), file: "/d.json5")
    #expect(read.workers == 7)
    #expect(
      try ServiceConfiguration.read(Data("{ workers: null }".utf8), file: "/d.json5").workers
        == min(256, processors))
    #expect(throws: ConfigurationError.self) {
      try ServiceConfiguration.read(Data("{ workers: 0 }".utf8), file: "/d.json5")
    }
  }

  @Test("the worker of a daemon has the limits of the settings on processor time, memory and files")
  func limits() throws {
    let daemon = try RealDaemon { folder in
      try folder.write(DaemonFixture.model, to: "catalogue/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
      try folder.write(
        "{ workerCpuSeconds: 1000, workerFileBytes: 1073741824, workerMemoryBytes: 536870912 }",
        to: "d.json5.d/a.json5")
      try folder.write("not a store, but more than nothing", to: "A.sqlite")
    }
    let folder = daemon.folder
    try daemon.drop("A.sqlite", as: "A.sqlite")
    #expect(daemon.eventually { (try? folder.text("p.log").contains("event=failed")) == true })
    let worker = try #require(try folder.text("p.log").firstMatch(of: /event=started .*worker=(\d+)/)?.1)
    // The worker is idle now, and has the limits of its last job.
    let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
    let cpu = try #require(limits.firstMatch(of: /Max cpu time +(\d+) +unlimited/)?.1)
    #expect((1000...1010).contains(Int(cpu) ?? 0), "\(limits)")
    #expect(limits.contains(/Max file size +1073741824 +1073741824/), "\(limits)")
    #expect(limits.contains(/Max data size +536870912 +536870912/), "\(limits)")
    #expect(daemon.stop() == 0)
  }
}
