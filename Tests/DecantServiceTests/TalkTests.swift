import Foundation
import Testing

@testable import DecantService

/// The built `decant` and the built `decantd` together.
@Suite("decant talks to decantd")
struct TalkTests {
  static let bundle = "catalogue/Notas/Notas.xcdatamodeld"

  private static func contents(_ attribute: String) -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Nota">\(attribute)</entity>
    </model>
    """
  }

  /// A daemon whose catalogue has two versions.
  private func daemon() throws -> RealDaemon {
    try RealDaemon { folder in
      try folder.write(
        Self.contents(#"<attribute name="texto" optional="YES" attributeType="String"/>"#),
        to: "\(Self.bundle)/Uno.xcdatamodel/contents")
      try folder.write(
        Self.contents(#"<attribute name="título" optional="YES" attributeType="String" elementID="texto"/>"#),
        to: "\(Self.bundle)/Dos.xcdatamodel/contents")
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Dos.xcdatamodel</string></dict></plist>",
        to: "\(Self.bundle)/.xccurrentversion")
    }
  }

  private func decant(_ arguments: [String]) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("decant")
    process.arguments = arguments
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }

  /// A store of the first version.
  private func makeStore(_ folder: TemporaryFolder, _ name: String, rows: Int = 20) throws {
    let run = try decant(
      [
        "generate", folder.path("\(Self.bundle)#Uno"), "--rows", "\(rows)", "--output", folder.path(name),
        "--quiet",
      ])
    #expect(run.code == 0, "\(run.messages)")
  }

  @Test("status shows what the daemon did, as text and as JSON")
  func status() throws {
    let daemon = try daemon()
    let folder = daemon.folder
    try makeStore(folder, "Notas.sqlite")
    try folder.makeFolder("drop")
    try folder.rename("Notas.sqlite", to: "drop/Notas.sqlite")
    try daemon.drop("drop", as: "Mine")
    try folder.write("a letter", to: "letter.sqlite")
    try daemon.drop("letter.sqlite", as: "letter.sqlite")
    let config = ["--config", folder.path("d.json5")]
    #expect(
      daemon.eventually {
        guard let run = try? decant(["status"] + config) else { return false }
        return run.code == 0 && run.output.contains("1 in done, 1 in failed")
      })
    let text = try decant(["status"] + config).output
    #expect(text.hasPrefix("decantd ") && text.contains(" is ready, up "), "\(text)")
    #expect(
      text.contains("failed: letter.sqlite (job ") && text.contains("  not-sqlite: letter.sqlite is not"),
      "\(text)")
    let job = try decant(["status", "Mine"] + config).output
    #expect(
      job.contains("“Uno” to “Dos”, 20 objects") && job.hasSuffix("\(folder.path("spool/done/Mine"))\n"),
      "\(job)")
    let json = try JSONDecoder().decode(
      ServiceStatus.self, from: Data(try decant(["status", "--json"] + config).output.utf8))
    #expect(json.results.map(\.drop).sorted() == ["Mine", "letter.sqlite"])
    #expect(try decant(["top"] + config).output.hasPrefix("decantd ready: 0 running, 0 queued"))
    #expect(daemon.stop() == 0)
    #expect(try decant(["status"] + config).code == 69)
  }
}
