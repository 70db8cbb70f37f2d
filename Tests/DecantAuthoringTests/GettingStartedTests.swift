import DecantTestSupport
import Foundation
import Testing

extension WorkerBuildTests {
  /// The blocks of Swift code in a page, in their order.
  private static func code(of page: String) throws -> [String] {
    try Repository.text(page).components(separatedBy: "```swift\n")
      .dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// Replaces the only line that contains a text.
  private func replace(_ text: String, with code: String, in file: String) throws {
    let lines = try String(contentsOfFile: folder.path(file), encoding: .utf8).components(separatedBy: "\n")
    try #require(lines.count { $0.contains(text) } == 1)
    try folder.write(
      lines.map { $0.contains(text) ? String(code.dropLast()) : $0 }.joined(separator: "\n"), to: file)
  }

  @Test(
    "the policy of “Getting started” is written, tested and used with the page's code and the shown commands")
  func gettingStarted() throws {
    let install = try shell(
      "$root/scripts/install --no-build --binaries $built --libraries --prefix \(folder.path("prefix"))")
    #expect(install.code == 0, "\(install.output)")
    let path = "export PATH=\(folder.path("prefix"))/bin:$PATH; "
    let made = try shell(
      path
        + "cp -R $root/config/examples/getting-started/. . && decant generate text/Tareas/Tareas.xcdatamodeld#Tareas "
        + "--rows 20 --output old.sqlite --quiet")
    try #require(made.code == 0, "\(made.output)")
    let explained = try shell(path + "decant explain old.sqlite --models policy")
    #expect(explained.output.contains("The policy class “TareaPolicy” was not found."), "\(explained.output)")
    let commands = explained.output.components(separatedBy: "\n").filter {
      $0.hasPrefix("    decant ") || $0.hasPrefix("    swift ")
    }
    try #require(commands.count == 4, "\(explained.output)")
    let new = try shell(path + commands[0])
    #expect(new.code == 0, "\(new.output)")
    let code = try Self.code(of: "docs/getting-started.md")
    try #require(code.count == 2)
    let files = [
      "Sources/tareas-worker/Policies/TareaPolicy.swift", "Tests/TareasWorkerTests/TareasWorkerTests.swift",
    ]
    for file in files { #expect(new.output.contains("\n  \(file)\n"), "\(new.output)") }
    try replace("private func complete", with: code[0], in: "tareas-worker/\(files[0])")
    let unsaid = try shell(path + commands[1])
    #expect(
      unsaid.code != 0
        && unsaid.output.contains("Replace this line with checks of what TareaPolicy has to make"),
      "\(unsaid.output)")
    try replace("Issue.record", with: code[1], in: "tareas-worker/\(files[1])")
    for command in commands.dropFirst() {
      let run = try shell(path + command)
      #expect(run.code == 0, "\(command)\n\(run.output)")
      if command == commands[1] {
        #expect(run.output.contains("Test run with 3 tests in 1 suite passed"), "\(run.output)")
      }
    }
    let mapping = "policy/Tareas/Minutos.mapping.json5"
    try folder.write(
      "// Changed.\n" + String(contentsOfFile: folder.path(mapping), encoding: .utf8), to: mapping)
    let differs = try shell(path + commands[1])
    #expect(
      differs.code != 0 && differs.output.contains("Tareas/Minutos.mapping.json5")
        && differs.output.contains("Copy the catalogue into “models” again"), "\(differs.output)")
    let again = try shell(path + "cp -R policy/. tareas-worker/models/ && " + commands[1])
    #expect(again.code == 0, "\(again.output)")
    let verified = try shell(path + commands[3])
    #expect(verified.output.hasPrefix("Nothing is missing. "), "\(verified.output)")
    let words = verified.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Not checked: made by the policy TareaPolicy: 20 objects"), "\(words)")
    #expect(words.contains("of “Tarea.minutos” that a policy set otherwise"), "\(words)")
  }
}
