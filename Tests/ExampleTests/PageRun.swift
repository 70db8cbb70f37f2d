import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

/// Runs the commands of a page in order, in one shell and in a temporary folder with links to the examples.
struct PageRun {
  let page: ExamplePage
  let folder: TemporaryFolder
  /// The folder in which the commands run.
  let place: URL

  /// Runs all commands, and records an issue with the page's line for each unexpected output.
  init(_ name: String, in folderOfPages: String = "docs/examples") throws {
    page = try ExamplePage(name, in: folderOfPages)
    folder = try TemporaryFolder("decant-example")
    place = folder.url.appendingPathComponent(".build/try/\(name)")
    for shared in ["config", "Examples", "docs"] {
      try FileManager.default.createSymbolicLink(
        at: folder.url.appendingPathComponent(shared),
        withDestinationURL: Repository.root.appendingPathComponent(shared))
    }
    let outputs = folder.url.appendingPathComponent("outputs")
    try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
    try runShell(outputs)
    for (number, command) in page.commands.enumerated() {
      let file = outputs.appendingPathComponent("\(number)")
      let text = try String(contentsOf: file, encoding: .utf8)
      var lines = text.components(separatedBy: "\n")
      if lines.last == "" { lines.removeLast() }
      #expect(
        OutputPattern(lines: command.output).matches(lines),
        "\(page.path), line \(command.line): “\(command.text)” prints\n\(text)")
    }
  }

  private func runShell(_ outputs: URL) throws {
    let script = page.commands.enumerated().map { number, command in
      "{ \(command.text)\n} > \"$outputs\"/\(number) 2>&1"
    }
    try Self.bash(script.joined(separator: "\n"), in: folder.url, ["outputs": outputs.path])
  }

  /// Runs further commands in `place`, and returns their output.
  func output(of script: String) throws -> String {
    let file = folder.path("further")
    try Self.bash("{ \(script)\n} > \"$file\" 2>&1", in: place, ["file": file])
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  private static func bash(_ script: String, in folder: URL, _ variables: [String: String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder
    let inherited = ProcessInfo.processInfo.environment
    process.environment = inherited.merging(variables) { $1 }.merging([
      "PATH": "\(Repository.programs.path):\(inherited["PATH"] ?? "/usr/bin:/bin")", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }

  /// The rows of a query in a store that the page has made, with `|` between columns and `-` for nil.
  func rows(_ store: String, _ sql: String) throws -> [String] {
    let database = try SQLiteDatabase(place.appendingPathComponent(store).path, mode: .readWrite)
    return try database.rows(sql).map { row in row.map(Self.text).joined(separator: "|") }
  }

  private static func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let data): "\(data.count) bytes"
    }
  }
}
