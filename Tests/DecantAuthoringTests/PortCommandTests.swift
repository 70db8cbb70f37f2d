import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@Suite("decant port")
struct PortCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try PortFixture.write(to: folder)
  }

  private var app: String { folder.path("app") }
  private var output: String { folder.path("worker/Sources") }

  private func files(_ path: String) -> [String] {
    (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter {
      $0.hasSuffix(".swift")
    }.sorted()
  }

  @Test("the files are written, and the app's files stay as they are")
  func writes() throws {
    let before = try files(app).map { try Data(contentsOf: folder.url.appendingPathComponent("app/\($0)")) }
    let run = Captured(["port", app, "--output", output])
    #expect(run.code == 0, "\(run.messages)")
    let ported = [
      "Migration/Migrator.swift", "Migration/NotaPolicy.swift", "Model/Nota+CoreDataProperties.swift",
      "Model/Nota.swift",
    ]
    #expect(files(output) == ported)
    #expect(
      try files(app).map { try Data(contentsOf: folder.url.appendingPathComponent("app/\($0)")) } == before)
    let nota = try Data(contentsOf: URL(fileURLWithPath: output + "/Model/Nota.swift"))
    #expect(nota.starts(with: [0xEF, 0xBB, 0xBF]))
    #expect(String(decoding: nota, as: UTF8.self).contains("CoreData\r\n\r\npublic class Nota"))
    for line in [
      "  line 3: imports os in place of os.log",
      "  NotasView.swift has no policy, migrator, managed object class or transformer",
      "  Tests/MigrationTests.swift is a test",
      "  line 15: writes #keyPath(Nota.titulo) as \"titulo\"",
      "  Worker.run(policies: [NotaPolicy.self], objects: [Nota.self, Tag.self])",
    ] { #expect(run.lines.contains(line), "\(line) in \(run.output)") }
    #expect(run.output.contains("products CoreData, DecantWorker, UIKit, os"))
  }

  @Test(
    "the result compiles together with the worker's main program",
    .enabled(if: SwiftTypeCheck.isPossible, "\(SwiftTypeCheck.reason)"))
  func compiles() throws {
    #expect(Captured(["port", app, "--output", output]).code == 0)
    let start = try folder.write(
      "import DecantWorker\nWorker.run(policies: [NotaPolicy.self], objects: [Nota.self, Tag.self])\n",
      to: "worker/Sources/main.swift")
    let paths = files(output).map { "\(output)/\($0)" }
    #expect(paths.contains(start.path))
    let check = try SwiftTypeCheck.run(paths)
    #expect(check.code == 0, "\(check.messages)")
    // The app's own files don't compile, so that the check is able to fail.
    #expect(
      try SwiftTypeCheck.run([app + "/Model/Nota+CoreDataProperties.swift", app + "/Model/Nota.swift"]).code
        != 0)
  }

  @Test("without --output nothing is written; --quiet shows only what is left to do")
  func shows() throws {
    let run = Captured(["port", app])
    #expect(run.code == 0)
    #expect(run.output.contains("--output DIR writes the files"))
    #expect(!FileManager.default.fileExists(atPath: output))
    let quiet = Captured(["port", app, "--quiet"])
    #expect(
      quiet.output.contains("left, line 22: if a mapping model calls “nombreForOrden:”"), "\(quiet.output)")
    #expect(!quiet.output.contains("removes @objc"))
  }

  @Test("JSON has the files with their changes, and what is left to do")
  func json() throws {
    struct Output: Decodable {
      struct Note: Decodable { let line: Int, text: String }
      struct File: Decodable { let path: String, changes: [Note], left: [Note] }
      let files: [File]
      let products: [String], policies: [String], objects: [String], tests: [String]
      let output: String?
    }
    let run = Captured(["port", app, "--json"])
    let result = try JSONDecoder().decode(Output.self, from: Data(run.output.utf8))
    #expect(result.output == nil)
    #expect(result.policies == ["NotaPolicy"] && result.objects == ["Nota", "Tag"])
    #expect(result.tests == ["Tests/MigrationTests.swift"])
    #expect(result.files.first?.changes.map(\.line) == [4])
  }

  @Test("existing files are kept without --force")
  func existing() throws {
    try folder.write("mine", to: "worker/Sources/Model/Nota.swift")
    let run = Captured(["port", app, "--output", output])
    #expect(run.code == 73)
    #expect(files(output) == ["Model/Nota.swift"])
    #expect(Captured(["port", app, "--output", output, "--force"]).code == 0)
    #expect(files(output).count == 4)
  }

  @Test(
    "an output within the app or above it is refused, also through a link",
    arguments: ["app", "app/new/x", ".", "link", "link/a", "b/model/../out", "b/model/..", "b/model/./x/y"])
  func places(output: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: app)
    try folder.write("", to: "b/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("b/model"), withDestinationPath: app + "/Model")
    let before = files(app)
    let run = Captured(["port", app, "--output", folder.path(output), "--force"])
    #expect(run.code == 64, "\(run.messages)")
    #expect(files(app) == before)
  }

  @Test(
    "“..” after a missing folder, and a dangling link, are refused",
    arguments: ["n/../o", "no", "no/x"])
  func unclear(output: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("no"), withDestinationPath: folder.path("app/new"))
    let run = Captured(["port", app, "--output", folder.path(output)])
    #expect(run.code == 64, "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("app/new")))
  }

  @Test("an output path through a link is resolved as the system resolves it")
  func wayOfLink() throws {
    try folder.write("", to: "far/deep/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("near"), withDestinationPath: folder.path("far/deep"))
    #expect(Captured(["port", app, "--output", folder.path("near/../out")]).code == 0)
    #expect(files(folder.path("far/out")).count == 4)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test(
    "without permission to write the output the exit code is 77",
    .enabled(if: geteuid() != 0, "Skipped: root may do everything."))
  func permission() throws {
    try folder.write("", to: "closed/file")
    chmod(folder.path("closed"), 0o500)
    #expect(Captured(["port", app, "--output", folder.path("closed/out")]).code == 77)
    chmod(folder.path("closed"), 0o700)
  }

  @Test("a link in the output isn't followed")
  func linkInOutput() throws {
    try folder.write("", to: "worker/Sources/x")
    try FileManager.default.createSymbolicLink(
      atPath: output + "/Model", withDestinationPath: app + "/Model")
    let run = Captured(["port", app, "--output", output, "--force"])
    #expect(run.code == 73)
    #expect(files(output).isEmpty)
  }

  @Test("links, large files, other encodings and folders of other code are skipped and reported")
  func skipped() throws {
    try FileManager.default.createSymbolicLink(
      atPath: app + "/Link.swift", withDestinationPath: app + "/NotasView.swift")
    try Data([0xFF, 0xFE, 0x69, 0]).write(to: URL(fileURLWithPath: app + "/Sixteen.swift"))
    try folder.write(String(repeating: "// NSMigrationManager\n", count: 200_000), to: "app/Large.swift")
    try folder.write("let m: NSMigrationManager", to: "app/Pods/A.swift")
    try folder.write("let m: NSMigrationManager", to: "app/.hidden/A.swift")
    let run = Captured(["port", app])
    for line in [
      "  Link.swift is a symbolic link", "  Sixteen.swift isn't UTF-8", "  Large.swift has more than 1 MiB",
      "  Pods is a folder of other people's code or of builds",
    ] { #expect(run.lines.contains(line), "\(line) in \(run.output)") }
    #expect(!run.output.contains("A.swift"))
  }

  @Test(
    "a missing folder, a file and an empty folder are refused",
    arguments: [("nothing", 66 as Int32), ("app/NotasView.swift", 66), ("empty", 65)])
  func badInput(path: String, code: Int32) throws {
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    let run = Captured(["port", folder.path(path)])
    #expect(run.code == code, "\(run.messages)")
    #expect(run.output.isEmpty)
  }
}
