import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantService
@testable import DecantSpool

/// The limit on the size of files that `ulimit -f` sets.
///
/// The signal SIGXFSZ ends no process.
@Suite("A limit on the size of files")
struct FileLimitTests {
  private static let decant = Repository.program("decant")

  /// Makes a store of about a megabyte whose model has a newer version.
  private static func makeStore(_ folder: TemporaryFolder) throws {
    let bundle = "catalogue/Notas/Notas.xcdatamodeld"
    for (version, name) in [("Uno", "texto"), ("Dos", "nombre")] {
      try folder.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Nota">
        <attribute name="\(name)" optional="YES" attributeType="String" elementID="texto"/></entity></model>
        """, to: "\(bundle)/\(version).xcdatamodel/contents")
    }
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
      to: "\(bundle)/.xccurrentversion")
    let made = try Tool.run(
      decant,
      [
        "generate", folder.path("\(bundle)#Uno"), "--rows", "20000", "--output", folder.path("N.sqlite"),
        "--quiet",
      ])
    #expect(made.code == 0, "\(made)")
  }

  @Test("decant migrate reports the limit, exits with a code of sysexits.h, and continues with a higher limit")
  func commandLine() throws {
    let folder = try TemporaryFolder.short()
    try Self.makeStore(folder)
    let words =
      "exec \(Self.decant) migrate \(folder.path("N.sqlite")) --models \(folder.path("catalogue")) --output "
      + "\(folder.path("out")) --quiet"
    let limited = try Tool.run("/bin/bash", ["-c", "ulimit -f 100; \(words)"])
    #expect([74, 75].contains(limited.code), "\(limited)")
    #expect(limited.output.contains("limit on file sizes"), "\(limited)")
    #expect(limited.output.contains("ulimit -f"), "\(limited)")
    let free = try Tool.run("/bin/bash", ["-c", words])
    #expect(free.code == 0, "\(free)")
  }

  @Test(
    "a progress log that can't grow stops no migration, and the limit is named; programs get the usual signals")
  func fullLog() throws {
    let daemon = try RealDaemon(prelude: "ulimit -f 64") { folder in
      try FakeWorker.write(to: folder)
      try folder.makeFolder("catalogue")
      try folder.write(String(repeating: "x", count: 65_530) + "\n", to: "p.log")
      try folder.write(
        "{ worker: '\(folder.path("worker.sh"))', onDone: ['/bin/sh', '-c', 'grep SigIgn /proc/self/status > \(folder.path("signals"))'] }",
        to: "d.json5.d/a.json5")
    }
    let folder = daemon.folder
    try folder.write("migrate\n", to: "a/A.sqlite")
    try daemon.drop("a", as: "a")
    #expect(daemon.eventually { FileManager.default.fileExists(atPath: folder.path("spool/done/a/A.sqlite")) })
    #expect(
      daemon.eventually {
        UnixClient.get("/readyz", on: folder.path("h.sock"))?.body.contains("see ulimit -f") == true
      })
    #expect(try folder.text("p.log").utf8.count <= 65_536)
    #expect(daemon.eventually { (try? folder.text("signals").hasSuffix("\n")) == true })
    let ignored =
      try UInt64(folder.text("signals").split(separator: "\t").last?.dropLast() ?? "", radix: 16) ?? .max
    // Bit n - 1 is signal n.
    #expect(ignored & (1 << UInt64(SIGXFSZ - 1)) == 0)
    #expect(daemon.isRunning && daemon.stop() == 0)
  }

  @Test("a job that needs a larger file than workers may write waits, and the limit is named")
  func worker() throws {
    let daemon = try RealDaemon { folder in
      try Self.makeStore(folder)
      try folder.write("{ workerFileBytes: 102400, retrySeconds: 60 }", to: "d.json5.d/a.json5")
    }
    let folder = daemon.folder
    try daemon.drop("N.sqlite", as: "N.sqlite")
    #expect(
      daemon.eventually {
        (try? folder.text("p.log").contains("event=waiting cause=retry")) == true
      })
    let log = try folder.text("p.log")
    #expect(log.contains("limit on file sizes") && log.contains("workerFileBytes"), "\(log)")
    #expect(!log.contains("event=died"))
    #expect(try folder.names("spool/failed").isEmpty)
    // With a higher limit the job continues.
    try folder.write("{}", to: "d.json5.d/a.json5")
    daemon.reload()
    #expect(daemon.eventually { daemon.isThrough })
    #expect(FileManager.default.fileExists(atPath: folder.path("spool/done/N.sqlite/N.sqlite")))
    let ended = try folder.text("p.log")
    #expect(
      ended.contains(
        /event=pass-done step=1\/1 from=Uno to=Dos pass=1\/1 .*source=20000 .*seconds=.* diskBytes=\d+/))
    #expect(ended.contains("event=step-done step=1/1"))
  }
}
