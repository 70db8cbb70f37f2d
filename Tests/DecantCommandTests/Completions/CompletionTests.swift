import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

/// The scripts by which shells complete command lines.
///
/// They are made from the table of commands.
@Suite("decant completions")
struct CompletionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for shell in ["bash", "zsh", "fish"] {
      try folder.write(Captured(["completions", shell]).output, to: "script.\(shell)")
    }
  }

  private static func isThere(_ shell: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  /// Runs a command line of a shell.
  ///
  /// The scripts are in its working folder, and `decant` is in its path.
  private func run(_ shell: String, _ line: String) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [shell, "-c", line]
    process.currentDirectoryURL = folder.url
    let place = URL(fileURLWithPath: Repository.program("decant")).deletingLastPathComponent().path
    process.environment = [
      "PATH": "\(place):/usr/local/bin:/usr/bin:/bin", "HOME": folder.url.path, "LC_ALL": "C.UTF-8",
    ]
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test("the script is valid for bash")
  func bashReads() throws { #expect(try run("bash", "bash -n script.bash") == (0, "")) }

  @Test("the script is valid for zsh", .enabled(if: isThere("zsh"), "zsh isn't installed"))
  func zshReads() throws { #expect(try run("zsh", "zsh -n script.zsh") == (0, "")) }

  @Test("the script is valid for fish", .enabled(if: isThere("fish"), "fish isn't installed"))
  func fishReads() throws { #expect(try run("fish", "fish -n script.fish") == (0, "")) }

  /// What bash offers for some words, of which the last one isn't complete.
  private func bash(_ words: [String]) throws -> [String] {
    let quoted = words.map(CompletionTable.quoted).joined(separator: " ")
    // `compopt` fails outside a completion, so the line defines its own.
    let line = """
      source script.bash; compopt() { echo "compopt $*"; }
      COMP_WORDS=(decant \(quoted)); COMP_CWORD=\(words.count); _decant decant '' ''
      if ((${#COMPREPLY[@]} > 0)); then printf '%s\\n' "${COMPREPLY[@]}"; fi
      """
    let (code, output) = try run("bash", line)
    #expect(code == 0, "\(output)")
    return output.split(separator: "\n").map(String.init)
  }

  @Test("bash offers every command, and exactly the options of each command")
  func bashOffers() throws {
    var firsts: Set<String> = ["help"]
    for command in CommandLineTool.commands {
      let words = command.name.split(separator: " ").map(String.init)
      firsts.insert(words[0])
      #expect(
        try bash(words + ["-"]).sorted() == command.options.map { "--\($0.name)" }.sorted(), "\(command.name)")
    }
    #expect(try Set(bash([""])) == firsts)
    #expect(try bash(["-"]) == ["--help", "--version"])
  }

  @Test(
    "bash completes words, paths, folders, families, versions and folders of the spool, also after a quote or “=”"
  )
  func bashValues() throws {
    let fixture = try NotesFixture()
    try fixture.store()
    let models = fixture.folder.path("Models")
    #expect(try bash(["mig"]) == ["migrate"])
    #expect(try bash(["worker", ""]) == ["new"])
    #expect(try bash(["plan", ""]) == ["compopt -o default"])
    #expect(try bash(["plan", "a.sqlite", ""]) == [])
    #expect(try bash(["check", ""]) == ["compopt -o dirnames"])
    #expect(try bash(["plan", "--models", ""]) == ["compopt -o dirnames"])
    #expect(try bash(["plan", "--models", "=", ""]) == ["compopt -o dirnames"])
    #expect(try bash(["classes", "a.mom", "b.mom", ""]) == ["compopt -o default"])
    #expect(try bash(["retry", "--reason", "not-inf"]) == ["not-inferable"])
    #expect(try bash(["plan", "--", "--"]) == ["compopt -o default"])
    #expect(try bash(["plan", "--models", models, "--family", "No"]) == ["compopt -o filenames", "Notes"])
    let versions = try bash(["plan", "--models", "=", "'\(models)'", "--to", "Notes\\ "])
    #expect(versions == ["compopt -o filenames", "Notes 2", "Notes 3"])
    for name in ["done/One", "failed/20261126T040308-000001", "failed/.gone-x"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("spool/\(name)"), withIntermediateDirectories: true)
    }
    let spool = ["--spool", folder.path("spool")]
    #expect(try bash(["retry"] + spool + [""]).dropFirst() == ["20261126T040308-000001"])
    #expect(try bash(["forget"] + spool + [""]).dropFirst() == ["20261126T040308-000001", "One"])
  }

  @Test("zsh and fish have every command and option in their scripts")
  func others() throws {
    let zsh = try String(contentsOfFile: folder.path("script.zsh"), encoding: .utf8)
    let fish = try String(contentsOfFile: folder.path("script.fish"), encoding: .utf8)
    for command in CommandLineTool.commands {
      let start = zsh.range(of: "\n    '\(command.name)')\n")?.upperBound ?? zsh.endIndex
      let rest = zsh[start...]
      let part = rest.prefix(upTo: rest.range(of: ";;")?.lowerBound ?? rest.endIndex)
      for option in command.options {
        #expect(part.contains("'--\(option.name)\(option.placeholder == nil ? "" : "=")["), "\(command.name)")
        #expect(
          fish.contains("complete -c decant -n '__decant_is \\'\(command.name)\\'' -l \(option.name)"),
          "\(command.name) \(option.name)")
      }
    }
  }

  @Test("fish completes commands, options and versions", .enabled(if: isThere("fish"), "fish isn't installed"))
  func fishCompletes() throws {
    func fish(_ line: String) throws -> [String] {
      try run("fish", "source script.fish; complete --do-complete '\(line)'").output.split(separator: "\n").map
      {
        String($0.prefix { $0 != "\t" })
      }
    }
    let fixture = try NotesFixture()
    #expect(try fish("decant mig") == ["migrate"])
    #expect(try fish("decant worker ") == ["new"])
    #expect(try fish("decant worker new --langu") == ["--language-mode"])
    #expect(try fish("decant status --js") == ["--json"])
    #expect(try fish("decant plan --models \(fixture.folder.path("Models")) --family N") == ["Notes"])
    #expect(try fish("decant retry --reason not-inf") == ["not-inferable"])
  }

  @Test("bash on a terminal completes typed words")
  func terminal() throws {
    let terminal = try Terminal(width: 80, height: 24)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["--norc", "--noprofile", "-i"]
    process.currentDirectoryURL = folder.url
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.url.path, "TERM": "dumb", "PS1": "ready ", "INPUTRC": "/dev/null",
      "HISTFILE": "", "LC_ALL": "C.UTF-8",
    ]
    let handle = FileHandle(fileDescriptor: terminal.slave, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    defer {
      process.terminate()
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try folder.write("", to: "My store.sqlite")
    _ = terminal.read(until: "ready ")
    terminal.press("source script.bash\n")
    _ = terminal.read(until: "ready ")
    terminal.press("decant mig\t")
    #expect(terminal.read(until: "migrate ").contains("migrate "))
    terminal.press("My\t")
    #expect(terminal.read(until: "sqlite ").contains("My\\ store.sqlite "))
    terminal.press("--mod\t")
    #expect(terminal.read(until: "--models ").contains("--models "))
  }

  @Test("an unknown shell is refused by name")
  func unknown() {
    let run = Captured(["completions", "bsh"])
    #expect(run.code == 64 && run.messages.contains("Did you mean “bash”?"), "\(run.messages)")
  }
}
