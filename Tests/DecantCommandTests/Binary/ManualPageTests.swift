import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// decant(1) explains exactly the commands and options of the parser.
@Suite("The manual page decant(1)")
struct ManualPageTests {
  let repository = Repository.root
  let lines: [String]

  init() throws {
    let file = repository.appendingPathComponent("man/decant.1")
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The lines of a section.
  private func section(_ name: String) -> ArraySlice<String> {
    guard let start = lines.firstIndex(of: ".Sh \(name)") else { return [] }
    let rest = lines[(start + 1)...]
    return rest.prefix { !$0.hasPrefix(".Sh ") }
  }

  /// The long options of a line.
  private func options(_ line: String) -> [String] {
    line.components(separatedBy: "Fl -").dropFirst().map { String($0.prefix { $0.isLetter || $0 == "-" }) }
      .filter { $0.count > 1 }
  }

  /// The head of each command in its section: the lines from `.It Xo Cm NAME` to `.Xc`.
  private var heads: [String: [String]] {
    var heads: [String: [String]] = [:]
    var command: String?
    for line in section("COMMANDS") {
      if line.hasPrefix(".It Xo Cm ") {
        command = String(line.dropFirst(10))
        heads[command ?? ""] = []
      } else if line == ".Xc" {
        command = nil
      } else if let command {
        heads[command]?.append(line)
      }
    }
    return heads
  }

  @Test("the head of each command has its arguments, and its required options without brackets")
  func synopsis() {
    let heads = heads
    #expect(Set(heads.keys) == Set(CommandLineTool.commands.map(\.name)))
    for command in CommandLineTool.commands {
      let lines = heads[command.name] ?? []
      #expect(
        Set(lines.flatMap(options)) == Set(command.options.map(\.name)).subtracting(["help"]), "\(command.name)"
      )
      #expect(
        Set(lines.filter { $0.hasPrefix(".Fl") }.flatMap(options))
          == Set(command.options.filter(\.isRequired).map(\.name)), "\(command.name)")
      #expect(
        lines.contains { $0.hasPrefix(".Ar ") || $0.hasPrefix(".Op Ar ") } == !command.arguments.isEmpty,
        "\(command.name)")
    }
  }

  @Test("the commands are grouped as in the help")
  func groups() {
    let titles = section("COMMANDS").filter { $0.hasPrefix(".Ss ") || $0.hasPrefix(".It Xo Cm ") }
    let expected = CommandLineTool.groups.flatMap { group in
      [".Ss \(group.title)"] + group.commands.map { ".It Xo Cm \($0.name)" }
    }
    #expect(Array(titles) == expected)
  }

  /// The words that a list of a section explains.
  private func words(_ name: String) -> [String] {
    section(name).filter { $0.hasPrefix(".It Cm ") }.compactMap {
      $0.dropFirst(7).split(separator: " ").first.map(String.init)
    }
  }

  @Test("every kind of oddity is explained, in order")
  func oddities() {
    #expect(words("ODDITIES") == Oddity.Kind.allCases.map(\.rawValue).sorted())
  }

  @Test("exactly the known reasons are explained, in order, with their exit codes")
  func reasons() throws {
    let explained = section("REASONS").filter { $0.hasPrefix(".It Cm ") }
    let known = FailureReason.all.map { reason in
      let codes = reason.exitCodes.map(String.init).joined(separator: " , ")
      return ".It Cm \(reason.word)" + (codes.isEmpty ? "" : " Pq \(codes)")
    }
    #expect(explained == known.sorted())
  }

  @Test("no reason is missing in FailureReason.all")
  func allReasons() throws {
    let file = repository.appendingPathComponent("Sources/DecantReport/FailureReason+All.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let words = text.matches(of: /= Self\(\s*"([a-z-]+)"/).map { String($0.1) }
    #expect(words == FailureReason.all.map(\.word))
  }

  @Test("exactly the options of the commands are explained")
  func explanations() {
    let explained = Set(section("OPTIONS").filter { $0.hasPrefix(".It Fl") }.flatMap(options))
    #expect(explained == Set(CommandLineTool.commands.flatMap { $0.options.map(\.name) } + ["version"]))
  }
}
