import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

@Suite("Configuration")
struct ConfigurationTests {
  private func read(_ text: String) throws(ConfigurationError) -> ServiceConfiguration {
    try ServiceConfiguration.read(Data(text.utf8), file: "/srv/decant/decantd.json5")
  }

  @Test("the shipped file is the sample that the list of settings makes")
  func shippedFile() throws {
    let shipped = try Repository.text("config/decantd.json5")
    #expect(shipped == ConfigurationText.sample, "write it anew with: decantd --print-sample")
  }

  @Test("without the comment signs, the sample states the defaults")
  func sampleDefaults() throws {
    var uncommented = ConfigurationText.sample
    for key in ConfigurationKey.all {
      uncommented = uncommented.replacingOccurrences(of: "  // \(key.name):", with: "  \(key.name):")
    }
    var configuration = try read(uncommented)
    #expect(Set(configuration.origins.keys) == Set(ConfigurationKey.all.map(\.name)))
    configuration.origins = [:]
    configuration.file = nil
    #expect(configuration == ServiceConfiguration())
  }

  @Test("owner, group and mode of results are read by name or number, and printed as they were written")
  func resultSettings() throws {
    let configuration = try read("{ resultOwner: 'root', resultGroup: '0', resultMode: '640' }")
    #expect(configuration.resultOwner?.number == 0 && configuration.resultGroup?.number == 0)
    #expect(configuration.resultRules == ResultRules(owner: 0, group: 0, mode: 0o640))
    #expect(ConfigurationKey.named("resultOwner")?.text(configuration) == "\"root\"")
    #expect(ConfigurationKey.named("resultMode")?.text(configuration) == "\"0640\"")
    #expect(try read("{ resultOwner: null, resultGroup: null, resultMode: null }").resultRules == ResultRules())
  }

  @Test(
    "an impossible owner, group or mode is an error",
    arguments: [
      "resultOwner: 'no-such-user-here'", "resultGroup: 'no-such-group-here'", "resultOwner: 7",
      "resultOwner: ''", "resultOwner: '4294967295'", "resultMode: '0755'", "resultMode: '0240'",
      "resultMode: '0680'", "resultMode: '10640'", "resultMode: 640", "resultMode: ''", "resultMode: '+40'",
    ])
  func wrongResultSettings(text: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try read("{ \(text) }") }
    #expect(error?.exitCode == 78)
    #expect(error?.description.contains("in quotes") == true, "\(String(describing: error))")
  }

  @Test("the printed configuration is read back as the same configuration")
  func printedIsReadBack() throws {
    let configuration = try read(
      """
      { spool: "sp\\"ool", workers: 7, settleSeconds: 0.25, originals: 'delete', worker: "bin/w", spaceFactor: 3 }
      """)
    #expect(configuration.spool == "/srv/decant/sp\"ool")
    #expect(configuration.worker == "/srv/decant/bin/w")
    #expect(configuration.originals == .delete)
    var again = try read(ConfigurationText.effective(configuration))
    again.origins = configuration.origins
    #expect(again == configuration)
  }

  @Test(
    "an unusable value is reported in one sentence",
    arguments: [
      ("{ spol: 'x' }", "there is no setting “spol”. Did you mean “spool”?"),
      ("{ zzz: 1 }", "there is no setting “zzz”. decantd"),
      ("{ workers: 0 }", "“workers” is 0, but has to be a whole number from 1 to 256, or null."),
      ("{ workers: 2.5 }", "“workers” is 2.5, but"),
      ("{ workers: 'two' }", "“workers” is “two”, but"),
      ("{ spool: 3 }", "“spool” is 3, but has to be a path in quotes."),
      ("{ spool: '' }", "“spool” is “”, but"),
      ("{ originals: 'burn' }", "“originals” is “burn”, but has to be “keep” or “delete”."),
      ("{ settleSeconds: -1 }", "“settleSeconds” is -1, but"),
      ("{ spool: [] }", "“spool” is a list or an object, but"),
      ("{ spool: null }", "“spool” is null, but"),
      ("{ spool:: 'x' }", "isn't JSON5"),
      ("[]", "isn't JSON5"),
      ("", "isn't JSON5"),
    ])
  func errors(text: String, sentence: String) {
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.exitCode == 78)
  }

  @Test("drop-ins change single settings, in the order of their names; null restores the default")
  func dropIns() throws {
    let folder = try TemporaryFolder.short()
    let file = folder.path("decantd.json5")
    try folder.write("{ workers: 3, nice: 5, onDone: ['/bin/true'], spool: 'a' }", to: "decantd.json5")
    #expect(try ServiceConfiguration.read(file: file).dropIns == [])
    let drops = [
      "20-b.json5": "{ workers: 5, onDone: null, spool: 'b' }",
      "10-a.json5": "{ workers: 4, settleSeconds: 9 }",
      "Z.json5": "{ nice: 7 }", ".hidden.json5": "{", "old.json5~": "{", "note.txt": "no",
    ]
    for (name, text) in drops { try folder.write(text, to: "decantd.json5.d/" + name) }
    let configuration = try ServiceConfiguration.read(file: file)
    #expect(configuration.dropIns == ["10-a", "20-b", "Z"].map { file + ".d/\($0).json5" })
    #expect(configuration.workers == 5 && configuration.settleSeconds == 9 && configuration.nice == 7)
    #expect(configuration.onDone == nil && configuration.spool == folder.path("b"))
    let printed = ConfigurationText.effective(configuration)
    #expect(printed.contains("  workers: 5,  // \(file).d/20-b.json5\n"))
    #expect(printed.contains("  settleSeconds: 9,  // \(file).d/10-a.json5\n"))
    #expect(printed.contains("  attempts: 2,  // default\n"))
  }

  @Test(
    "the error of a faulty drop-in names its file",
    arguments: [("{ workrs: 1 }", 78), ("{ workers: 0 }", 78), ("{", 78), (nil, 77)])
  func wrongDropIn(text: String?, code: Int32) throws {
    let folder = try TemporaryFolder.short()
    try folder.write("{}", to: "decantd.json5")
    try folder.write("", to: "decantd.json5.d/note.txt")
    let path = folder.path("decantd.json5.d/x.json5")
    if let text { try folder.write(text, to: "decantd.json5.d/x.json5") } else { symlink("nowhere", path) }
    let error = #expect(throws: ConfigurationError.self) {
      try ServiceConfiguration.read(file: folder.path("decantd.json5"))
    }
    #expect(error?.description.contains(path) == true && error?.exitCode == code, "\(error?.description ?? "")")
  }

  @Test("a missing file exits with 66")
  func missing() {
    let error = #expect(throws: ConfigurationError.self) {
      try ServiceConfiguration.read(file: "/nowhere/at/all.json5")
    }
    #expect(error?.exitCode == 66)
  }
}

@Suite("Command line")
struct DaemonCommandTests {
  @Test("arguments are understood")
  func arguments() throws {
    #expect(try DaemonCommand.parse([]) == .run(file: nil))
    #expect(try DaemonCommand.parse(["--config", "f"]) == .run(file: "f"))
    #expect(try DaemonCommand.parse(["--config=f", "--check"]) == .check(file: "f"))
    #expect(try DaemonCommand.parse(["--print-config"]) == .printConfiguration(file: nil))
    #expect(try DaemonCommand.parse(["--worker", "--jobs", "3"]) == .worker)
    #expect(try DaemonCommand.parse(["-h"]) == .help)
  }

  @Test("unknown arguments are refused, and the nearest argument is named")
  func unknown() {
    let error = #expect(throws: DaemonCommand.UsageError.self) { try DaemonCommand.parse(["--confg", "f"]) }
    #expect(error?.description.contains("“--config”") == true)
    #expect(throws: DaemonCommand.UsageError.self) { try DaemonCommand.parse(["--config"]) }
  }

  @Test("every option is in the help, and every setting has a meaning")
  func help() {
    for option in ["--config", "--check", "--print-config", "--print-sample", "--version", "--help"] {
      #expect(DaemonCommand.help.contains(option))
    }
    for key in ConfigurationKey.all { #expect(key.meaning.hasSuffix(".")) }
  }
}
