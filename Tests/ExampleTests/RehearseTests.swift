import DecantTestSupport
import Foundation
import Testing

/// Runs `docs/ci/rehearse`, which tries a catalogue's migrations in continuous integration.
@Suite(
  "docs/ci/rehearse", .enabled(if: RehearsePrograms.areThere, "jq isn't installed, which the script needs"))
struct RehearseTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-rehearse") }

  /// Runs a shell command in the checkout.
  private func run(_ line: String) throws -> (code: Int32, lines: [String]) {
    let output = folder.path("output")
    let temporary = folder.url.appendingPathComponent("tmp")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: output))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = Repository.root
    let inherited = ProcessInfo.processInfo.environment
    process.environment = inherited.merging([
      "PATH": "\(Repository.programs.path):\(inherited["PATH"] ?? "/usr/bin:/bin")", "LC_ALL": "C.UTF-8",
      "TMPDIR": temporary.path, "d": folder.url.path, "built": Repository.programs.path,
    ]) { $1 }
    process.environment?["DECANT"] = nil
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty, "\(line)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return (process.terminationStatus, text.components(separatedBy: "\n").dropLast())
  }

  /// Writes a catalogue with two versions of one entity.
  private func catalogue(_ old: String, _ new: String, mapping: String? = nil) throws {
    for (name, attribute) in [("Old", old), ("New", new)] {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Note"><attribute name="\(attribute)"/></entity>
        </model>
        """, to: "Models/Notes/Notes.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write("{ target: \"New\" }", to: "Models/Notes/family.json5")
    if let mapping { try folder.write(mapping, to: "Models/Notes/Step.mapping.json5") }
  }

  @Test("the command in docs/ci.md has the output that the page shows")
  func page() throws {
    let page = try String(contentsOf: Repository.root.appendingPathComponent("docs/ci.md"), encoding: .utf8)
    let block = try #require(page.components(separatedBy: "```\n").first { $0.hasPrefix("$ docs/ci/rehearse") })
    var lines = block.components(separatedBy: "\n").dropLast()
    let command = String(lines.removeFirst().dropFirst(2))
    let run = try run(command)
    #expect(run.code == 0)
    #expect(OutputPattern(lines: Array(lines)).matches(run.lines), "\(run.lines.joined(separator: "\n"))")
  }

  @Test("policies run in the worker; without the worker the catalogue has a fault")
  func worker() throws {
    let without = try run("docs/ci/rehearse config/examples/1-notes/policy")
    #expect(without.code == 78 && !without.lines.contains { $0.hasPrefix("well") })
    let with = try run(
      "docs/ci/rehearse config/examples/1-notes/policy --worker $built/categorias-worker --rows 50")
    #expect(with.code == 0 && with.lines.count { $0.hasPrefix("well") } == 2, "\(with)")
  }

  @Test("a step that can't be inferred fails with 78 and the reason")
  func notInferable() throws {
    try catalogue(
      #"size" optional="YES" attributeType="String"#, #"size" optional="YES" attributeType="Integer 32"#)
    let run = try run("docs/ci/rehearse $d/Models")
    #expect(run.code == 78, "\(run)")
    #expect(run.lines.joined(separator: " ").contains("attribute “size” changes its type"), "\(run)")
  }

  @Test("if a step fails for some values, the script ends with its exit code and shows the message")
  func failing() throws {
    try catalogue(
      #"text" optional="YES" attributeType="String"#, #"title" attributeType="String"#,
      mapping: """
        { source: "Old", destination: "New", entityMappings: [
          { name: "NoteToNote", source: "Note", destination: "Note", attributes: { title: "$source.text" } } ] }
        """)
    let run = try run("docs/ci/rehearse $d/Models")
    #expect(run.code == 65, "\(run)")
    #expect(run.lines.contains("FAILED    Notes: Old → New, with exit code 65:"), "\(run)")
    #expect(run.lines.contains { $0.hasPrefix("  decant: ") && $0.contains("title") }, "\(run)")
  }

  @Test("a catalogue with one version has nothing to migrate, and this isn't an error")
  func oneVersion() throws {
    try catalogue("text", "title")
    try FileManager.default.removeItem(atPath: folder.path("Models/Notes/Notes.xcdatamodeld/Old.xcdatamodel"))
    let run = try run("docs/ci/rehearse $d/Models")
    #expect(run.code == 0 && run.lines.last?.contains("nothing to migrate yet") == true, "\(run)")
  }

  @Test("a loss fails only with --strict")
  func losses() throws {
    try catalogue(
      #"text" optional="YES" attributeType="String"#, #"size" optional="YES" attributeType="Integer 32"#)
    #expect(try run("docs/ci/rehearse $d/Models").code == 0)
    #expect(try run("docs/ci/rehearse $d/Models --strict").code == 78)
  }

  @Test(
    "the script fails if jq fails or gives an incomplete answer",
    arguments: [("exit 5", 5 as Int32), ("printf 'Notas\\0Old\\0'", 70)])
  func brokenReader(script: String, code: Int32) throws {
    try folder.write("#!/bin/sh\n\(script)\n", to: "bin/jq")
    chmod(folder.path("bin/jq"), 0o755)
    let run = try run("PATH=$d/bin:$PATH docs/ci/rehearse config/examples/1-notes/text")
    #expect(run.code == code, "\(run)")
    #expect(!run.lines.contains { $0.hasPrefix("well") })
  }

  @Test(
    "wrong arguments are refused",
    arguments: [
      ("", 64), ("config/examples/catalogue --rows many", 64), ("config/examples/catalogue --rows", 64),
      ("config/examples/catalogue config", 64), ("--strct config/examples/catalogue", 64), ("$d/none", 66),
    ])
  func usage(words: String, code: Int32) throws {
    let run = try run("docs/ci/rehearse \(words)")
    #expect(run.code == code, "\(run)")
  }
}

/// The programs that the script needs in addition to decant.
private enum RehearsePrograms {
  static let areThere = ["/usr/bin/jq", "/usr/local/bin/jq", "/bin/jq"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
