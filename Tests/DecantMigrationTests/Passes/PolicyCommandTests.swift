import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("The command lines of policy programs") struct PolicyCommandTests {
  private func command(
    _ words: [String], files: [String] = [], _ body: (PolicyCommand) throws -> Void
  ) throws {
    let folder = try TemporaryFolder("decant-words")
    defer { withExtendedLifetime(folder) {} }
    for file in files { try folder.write("", to: "Notas/\(file)") }
    try FileManager.default.createDirectory(atPath: folder.path("Notas"), withIntermediateDirectories: true)
    try body(PolicyCommand(words, folder: folder.path("Notas")))
  }

  @Test(
    "if the script of an interpreter is missing, the command has a problem",
    arguments: [
      ["sh", "policy.sh"], ["/bin/sh", "./policy.sh"], ["sh", "-ux", "scripts/policy.sh", "x"],
      ["sh", "/no/such/policy.sh"],
    ])
  func missing(words: [String]) throws {
    try command(words) { command in
      let problem = try #require(command.problem)
      #expect(problem.contains("“\(words.joined(separator: " "))” has nothing to run: there is no file “/"))
      #expect(command.doubts == [])
    }
    guard let script = words.first(where: { $0.hasSuffix(".sh") && !$0.hasPrefix("/") }) else { return }
    try command(words, files: [script]) { command in #expect(command.problem == nil && command.doubts == []) }
  }

  @Test(
    "words that may be no file names give neither a problem nor a doubt",
    arguments: [
      ["sh"], ["sh", "policy"], ["sh", "-c", "exec policy.sh"], ["sh", "Nota.texto", "es_MX.UTF-8"],
      ["sh", "Europe/Madrid", "https://example.com/a.json", "1.5"], ["cat", "-"],
    ])
  func unknown(words: [String]) throws {
    try command(words) { command in #expect(command.problem == nil && command.doubts == []) }
  }

  @Test("each further word that looks like a missing file gives a doubt")
  func doubts() throws {
    let words = ["sh", "policy.sh", "words.json", "--table=names.csv", "../shared", "--out", "there.txt"]
    try command(words, files: ["policy.sh", "there.txt"]) { command in
      #expect(command.problem == nil && command.path?.hasSuffix("/sh") == true)
      #expect(command.doubts.count == 3)
      for word in ["“words.json”", "“names.csv”", "“../shared”"] {
        #expect(
          command.doubts.contains { $0.contains("which \(word) of the policy program") }, "\(command.doubts)")
      }
    }
  }

  @Test("the command of a missing program has no path")
  func noProgram() throws {
    for words in [[], [""], ["./nowhere"], ["no-such-program", "x.py"], ["/"]] {
      try command(words) { command in
        #expect(command.path == nil && command.problem != nil && command.doubts == [], "\(words)")
      }
    }
  }
}
