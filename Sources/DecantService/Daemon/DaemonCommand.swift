internal import DecantMapping
internal import DecantMigration
internal import DecantWorker
internal import Foundation
internal import Glibc

/// The command line of `decantd`: arguments in, exit code out.
package enum DaemonCommand {
  package enum Wish: Sendable, Hashable {
    case run(file: String?)
    case check(file: String?)
    case printConfiguration(file: String?)
    case printSample
    case version
    case help
    case worker
  }

  package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
  }

  package static let help = """
    decantd - migrates Core Data stores that are dropped into a folder to their
    newest model version

    Examples:
      decantd
          with /etc/decant/decantd.json5, in the foreground
      decantd --config ~/decant/decantd.json5
          with your own spool
      decantd --check --config FILE
          only checks whether the configuration and its catalogue can be used

    Options:
      --config FILE    the configuration, as JSON5; relative paths in it start
                       at its folder
      --check          check the configuration and end
      --print-config   print every setting, its value, and where that comes from
      --print-sample   print a configuration file with every setting at its default
      --version        print the version
      -h, --help       print this

    SIGTERM and SIGINT stop after the running chunks, a second one at once; SIGHUP
    reads the configuration again.
    Exit codes: 0, 64 usage, 66 no such file, 71 system, 73 can't create,
    74 disk, 75 in use, 77 permission, 78 configuration.

    """

  private static let options = [
    "--config", "--check", "--print-config", "--print-sample", "--version", "--help",
  ]

  /// Reads the arguments, without the program's name.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Wish {
    if arguments.first == "--worker" { return .worker }
    var file: String?
    var wish: Wish?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--config":
        guard let value = rest.popFirst(), !value.isEmpty else {
          throw UsageError(description: "“--config” needs a file.")
        }
        file = value
      case _ where argument.hasPrefix("--config=") && argument.count > 9: file = String(argument.dropFirst(9))
      case "--check": wish = .check(file: nil)
      case "--print-config": wish = .printConfiguration(file: nil)
      case "--print-sample": wish = .printSample
      case "--version": return .version
      case "--help", "-h": return .help
      default:
        let nearest = NearName.of(argument, among: options)
        throw UsageError(
          description: "There is no “\(argument)”.\(nearest.map { " Did you mean “\($0)”?" } ?? "") "
            + "decantd --help lists the options.")
      }
    }
    switch wish {
    case .check?: return .check(file: file)
    case .printConfiguration?: return .printConfiguration(file: file)
    case .some(let wish): return wish
    case nil: return .run(file: file)
    }
  }

  /// Carries out the arguments; returns the exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    do throws(UsageError) {
      switch try parse(arguments) {
      case .version: return say("decantd \(Migration.decantVersion)\n")
      case .help: return say(help)
      case .printSample: return say(ConfigurationText.sample)
      case .printConfiguration(let file):
        return with(file, isNeeded: false) { say(ConfigurationText.effective($0)) }
      case .check(let file):
        return with(file, check)
      case .run(let file): return with(file, serve)
      case .worker: Worker.run(arguments: arguments)
      }
    } catch {
      complain(error.description)
      return 64
    }
  }

  /// Checks the configuration and the files that it names.
  ///
  /// A faulty catalogue counts as an error, because its stores would wait.
  private static func check(_ configuration: ServiceConfiguration) -> Int32 {
    let file = configuration.file ?? ServiceConfiguration.defaultFile
    let check = SettingsCheck(configuration: configuration)
    for finding in check.findings { complain(check.sentence(finding)) }
    guard check.findings.isEmpty else { return 78 }
    var families: [String: String] = [:]
    // Without this check, these faults are found only when a store comes: unfit mapping models, missing policies, and
    // versions that can't reach the target version.
    var faults = CatalogueFaults(of: configuration)
    for look in [{ CatalogueReader.look(at: configuration.catalogue) }, { faults.look() }] {
      let found = look()
      if let failure = found.failure {
        complain("\(file), “catalogue”: \(failure)")
        return found.isOfDisk ? 74 : 78
      }
      families.merge(found.families) { first, _ in first }
    }
    guard families.isEmpty else {
      for family in families.sorted(by: { $0.key < $1.key }) { complain(family.value) }
      complain("“\(faults.command)” lists all faults of the catalogue.")
      return 78
    }
    let dropIns = configuration.dropIns.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
    return say(file + (dropIns.isEmpty ? "" : ", with its drop-ins \(dropIns),") + " can be used.\n")
  }

  private static func serve(_ configuration: ServiceConfiguration) -> Int32 {
    FreeMemory.keepTogether()
    // Block the signals before any other thread exists, so that no signal ends the process.
    let signals = SignalInbox()
    do throws(DaemonError) {
      try Daemon(configuration: configuration, signals: signals).run()
      return 0
    } catch {
      complain(error.description)
      return error.exitCode
    }
  }

  /// - Parameter isNeeded: Whether a missing default file is an error.
  private static func with(
    _ file: String?, isNeeded: Bool = true, _ body: (ServiceConfiguration) -> Int32
  ) -> Int32 {
    do throws(ConfigurationError) {
      if let file { return body(try ServiceConfiguration.read(file: file)) }
      // The file may be in a folder that this user can't enter. Reading the file then gives the reason.
      guard access(ServiceConfiguration.defaultFile, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else {
        return body(try ServiceConfiguration.read(file: ServiceConfiguration.defaultFile))
      }
      guard isNeeded else { return body(ServiceConfiguration()) }
      complain(
        "There is no configuration “\(ServiceConfiguration.defaultFile)”. Name a file with --config, or begin with: "
          + "decantd --print-sample > decantd.json5")
      return 66
    } catch {
      complain(error.description)
      return error.exitCode
    }
  }

  private static func say(_ text: String) -> Int32 {
    DescriptorIO.write(Data(text.utf8), to: 1) == 0 ? 0 : 74
  }

  private static func complain(_ text: String) {
    let log = ServiceLog()
    log.say(JournalRecord(.error, text, event: "start"))
    log.finish()
  }
}
