import CommandSupport
import Foundation
import Testing

@testable import DecantAuthoring
@testable import DecantCommand
@testable import DecantConsole
@testable import DecantMapping

@Suite("Parsing the command line")
struct ParsingTests {
  @Test("wrong use exits with 64 and a helpful sentence", arguments: cases)
  func wording(arguments: String, sentence: String) {
    let run = Captured(arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) })
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.messages == "decant: \(sentence)\n")
  }

  static let cases: [(String, String)] = [
    ("hsah", "There is no command “hsah”. Did you mean “hash”? “decant --help” shows the usage."),
    ("frobnicate", "There is no command “frobnicate”. “decant --help” shows the usage."),
    (
      "help migrat",
      "There is no command “migrat”. Did you mean “migrate”? “decant --help” shows the usage."
    ),
    ("--vers", "There is no option “--vers”. Did you mean “--version”? “decant --help” shows the usage."),
    ("-x", "There is no option “-x”. “decant --help” shows the usage."),
    (
      "hash --jsno M",
      "There is no option “--jsno”. Did you mean “--json”? “decant hash --help” shows the usage."
    ),
    ("hash -j M", "There is no option “-j”. “decant hash --help” shows the usage."),
    (
      "hash -json M",
      "There is no option “-json”. Did you mean “--json”? “decant hash --help” shows the usage."
    ),
    ("hash --json=yes M", "“--json” takes no value. “decant hash --help” shows the usage."),
    (
      "hash",
      "MODEL is missing: an .xcdatamodel or .mom, a store that keeps its own model, or BUNDLE#VERSION of an "
        + ".xcdatamodeld or .momd; without #VERSION its current version. “decant hash --help” shows the usage."
    ),
    ("hash ''", "MODEL is empty. “decant hash --help” shows the usage."),
    (
      "hash -",
      "MODEL can't be read from standard input (“-”); name a file or folder. “decant hash --help” shows the "
        + "usage."
    ),
    (
      "hash A B",
      "“B” is one argument too many: the command takes one. A name with spaces needs quotes. “decant hash --help” "
        + "shows the usage."
    ),
    (
      "schema M --framework",
      "“--framework” needs a value: --framework N. “decant schema --help” shows the usage."
    ),
    (
      "schema M --framework --reference S",
      "“--framework” needs a value: --framework N. “decant schema --help” shows the usage."
    ),
    (
      "schema M --framework -5",
      "“--framework” needs a whole number from 1 to 999999, not “-5”."
    ),
    ("schema M --framework=1344x", "“--framework” needs a whole number from 1 to 999999, not “1344x”."),
    (
      "schema M --framework=99999999999999999999",
      "“--framework” needs a whole number from 1 to 999999, not “99999999999999999999”."
    ),
    (
      "schema M --framework 1 --framework 2",
      "“--framework” is given twice; give it once. “decant schema --help” shows the usage."
    ),
    (
      "migrate S --output O",
      "“--models DIR” is missing: the catalogue: a folder that holds one folder for each model family; or one "
        + "family's folder or model bundle. “decant migrate --help” shows the usage."
    ),
  ]

  @Test("a double dash ends the options, and options may follow arguments")
  func order() throws {
    let command = HashCommand.command
    #expect(try Arguments(["M", "--json"], of: command).has("json"))
    let parsed = try Arguments(["--json", "--", "--json"], of: command)
    #expect(parsed.positional == ["--json"])
    #expect(parsed.has("json"))
    let schema = try Arguments(["--framework", "641", "M"], of: SchemaCommand.command)
    #expect(schema.value("framework") == "641")
    #expect(schema[0] == "M")
  }

  @Test(
    "help needs no other arguments and goes to standard output",
    arguments: CommandLineTool.commands.map(\.name))
  func help(name: String) {
    for arguments in [[name, "--help"], [name, "-h"], ["help", name], [name, "--help", "surplus"]] {
      let run = Captured(arguments)
      #expect(run.code == 0)
      #expect(run.messages.isEmpty)
      #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.lines.first { $0.count > 80 } ?? "")")
      let sections = run.lines.filter { $0.hasSuffix(":") }
      #expect(sections.first == "Examples:")
      for option in CommandLineTool.commands.first(where: { $0.name == name })?.options ?? [] {
        #expect(run.output.contains("--\(option.name)"))
        #expect(option.help.hasSuffix("."))
      }
    }
  }

  @Test("every example of the help is a valid command line", arguments: CommandLineTool.commands.map(\.name))
  func examples(name: String) throws {
    let command = try #require(CommandLineTool.commands.first { $0.name == name })
    #expect(!command.examples.isEmpty)
    for example in command.examples {
      var words: [String] = []
      for (index, part) in example.line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
        words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
      let start = ["decant"] + name.split(separator: " ").map(String.init)
      #expect(Array(words.prefix(start.count)) == start)
      #expect(throws: Never.self) { try Arguments(Array(words.dropFirst(start.count)), of: command) }
    }
  }

  @Test("the overview names every command and fits into 80 columns")
  func overview() {
    let run = Captured(["--help"])
    #expect(run.code == 0)
    for command in CommandLineTool.commands { #expect(run.output.contains("  \(command.name) ")) }
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    let bare = Captured([])
    #expect(bare.code == 64)
    #expect(bare.output.isEmpty)
    #expect(bare.messages == run.output)
    #expect(Captured(["--version"]).output.hasPrefix("decant 0."))
  }

  @Test("the nearest name is found by a prefix or with few mistakes, not with many")
  func nearest() {
    let names = ["hash", "schema", "inspect", "migrate"]
    #expect(NearName.of("mig", among: names, completes: true) == "migrate")
    #expect(NearName.of("shcema", among: names, completes: true) == "schema")
    #expect(NearName.of("Inspekt", among: names, completes: true) == "inspect")
    #expect(NearName.of("NotasV", among: ["NotasVersion", "Other"], completes: true) == "NotasVersion")
    #expect(NearName.of("verify", among: names, completes: true) == nil)
    #expect(NearName.of("", among: names, completes: true) == nil)
  }
}
