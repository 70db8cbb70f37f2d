import Foundation
import Testing

@testable import DecantService

@Suite("Configuration")
struct ConfigurationTests {
  private func read(_ text: String) throws(ConfigurationError) -> ServiceConfiguration {
    try ServiceConfiguration.read(Data(text.utf8), file: "/srv/decant/decantd.json5")
  }

  @Test("the shipped file is the sample that the list of settings makes")
  func shippedFile() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let shipped = try String(contentsOf: root.appendingPathComponent("config/decantd.json5"), encoding: .utf8)
    #expect(shipped == ConfigurationText.sample, "write it anew with: decantd --print-sample")
  }

  @Test("the sample without slashes states the defaults")
  func sampleDefaults() throws {
    var uncommented = ConfigurationText.sample
    for key in ConfigurationKey.all {
      uncommented = uncommented.replacingOccurrences(of: "  // \(key.name):", with: "  \(key.name):")
    }
    var configuration = try read(uncommented)
    #expect(configuration.given == Set(ConfigurationKey.all.map(\.name)))
    configuration.given = []
    configuration.file = nil
    #expect(configuration == ServiceConfiguration())
  }

  @Test("owner, group and mode of results are read by name or number, and printed as they were written")
  func resultSettings() throws {
    let configuration = try read("{ resultOwner: 'root', resultGroup: '0', resultMode: '640' }")
    #expect(configuration.resultOwner?.number == 0 && configuration.resultGroup?.number == 0)
    #expect(configuration.resultRules == ResultRules(owner: 0, group: 0, mode: 0o640))
    #expect(configuration.text(of: "resultOwner") == "\"root\"")
    #expect(configuration.text(of: "resultMode") == "\"0640\"")
    #expect(try read("{ resultOwner: null, resultGroup: null, resultMode: null }").resultRules == ResultRules())
  }

  @Test(
    "an owner, a group or a mode that can't be is an error",
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

  @Test("every setting has a text, and it is the default's", arguments: ConfigurationKey.all.map(\.name))
  func texts(name: String) {
    #expect(ServiceConfiguration().text(of: name) == ConfigurationKey.named(name)?.defaultText)
  }

  @Test("the output is read back as the same")
  func printedIsReadBack() throws {
    let configuration = try read(
      """
      { spool: "sp\\"ool", workers: 7, settleSeconds: 0.25, originals: 'delete', worker: "bin/w", spaceFactor: 3 }
      """)
    #expect(configuration.spool == "/srv/decant/sp\"ool")
    #expect(configuration.worker == "/srv/decant/bin/w")
    #expect(configuration.originals == .delete)
    var again = try read(ConfigurationText.effective(configuration))
    again.given = configuration.given
    #expect(again == configuration)
  }

  @Test(
    "an unusable value is reported in one sentence",
    arguments: [
      ("{ spol: 'x' }", "there is no setting “spol”. Did you mean “spool”?"),
      ("{ zzz: 1 }", "there is no setting “zzz”. decantd"),
      ("{ workers: 0 }", "“workers” is 0, but has to be a whole number from 1 to 256."),
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

  @Test("a file that isn't there is 66")
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

  @Test("unknown ones are refused, the nearest is named")
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
