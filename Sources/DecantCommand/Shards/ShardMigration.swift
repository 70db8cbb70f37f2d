internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantShards
internal import DecantStore
internal import Foundation

/// `decant migrate` with `--manifest` or `--find`: migrates one shard of many stores.
enum ShardMigration {
  /// The options that name the stores.
  private static let sources = ["manifest", "find"]
  /// The options that mean nothing for a single store.
  private static let own = ["shard", "ledger", "jobs", "scratch"]
  /// The options that mean nothing for many stores.
  private static let foreign = ["dry-run", "force"]

  static func isMeant(_ arguments: Arguments) -> Bool { sources.contains { arguments.value($0) != nil } }

  /// Refuses the options for many stores in a command about a single store.
  static func checkAbsence(_ arguments: Arguments) throws(CommandFailure) {
    guard let option = own.first(where: { arguments.value($0) != nil }) else { return }
    throw CommandFailure(
      .usage, "“--\(option)” is for many stores.", advice: "Name them: --manifest FILE, or --find FOLDER.")
  }

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    // From here on, a signal from a scheduler stops the run, and doesn't end the process at once.
    try Interruption.watching(isPatient: true) { () throws(CommandFailure) in
      try runWatched(arguments, console)
    }
  }

  private static func runWatched(
    _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> Int32 {
    try checkOptions(arguments)
    // Read the manifest first: if its file system isn't mounted, the manifest is missing, and no folder may be made.
    let manifest = try manifest(arguments)
    let settings = try settings(arguments, console)
    try checkFound(arguments, settings)
    var display = ShardDisplay(console, isQuiet: arguments.has("quiet"), shard: settings.shard)
    if !arguments.has("quiet") { console.say("decant: Reading \(PlainText.of(manifest.path)).") }
    let counts: ShardCounts
    do throws(ShardError) {
      let run = try ShardRun(
        settings, manifest,
        makePlaces: { () throws(ShardError) in
          try makePlaces(settings, hasLedgerFolder: hasLedgerFolder(arguments))
        },
        shouldStop: { Interruption.isAsked }
      ) { counts in
        if !Interruption.isAsked { display.show(counts) }
      }
      counts = try run.run()
    } catch {
      display.end()
      throw CommandFailure(error)
    }
    display.end()
    let code = exitCode(counts)
    if arguments.has("json") {
      console.print(ShardText.json(counts, settings, exitCode: code).lines)
    } else {
      console.print(ShardText.lines(counts, settings))
    }
    return code
  }

  /// The exit code for schedulers.
  static func exitCode(_ counts: ShardCounts) -> Int32 {
    if counts.isForbidden { return ExitCode.permission }
    if counts.isStopped || !counts.isComplete { return ExitCode.tryAgain }
    return counts.results[.refused] ?? 0 > 0 ? ExitCode.badData : ExitCode.success
  }

  private static func checkOptions(_ arguments: Arguments) throws(CommandFailure) {
    guard arguments.positional.isEmpty else {
      throw CommandFailure(
        .usage, "\(arguments[0]) can't be named beside a manifest.",
        advice: "Add it to the manifest, or leave --manifest and --find out.")
    }
    guard !sources.allSatisfy({ arguments.value($0) != nil }) else {
      throw CommandFailure(.usage, "“--manifest” and “--find” can't be used together.", advice: "Use one.")
    }
    if let option = foreign.first(where: arguments.has) {
      throw CommandFailure(
        .usage, "“--\(option)” is for a single store.",
        advice: "Try it with one store of the manifest: decant migrate STORE --\(option) ….")
    }
  }

  private static func settings(_ arguments: Arguments, _ console: Console) throws(CommandFailure)
    -> ShardSettings
  {
    let models = arguments.value("models") ?? ""
    try checkCatalogue(models, target: arguments.value("to"))
    let shard: Shard
    do throws(ShardError) {
      if let text = arguments.value("shard") {
        shard = try Shard(text)
      } else {
        shard = try Shard(environment: console.environment)
      }
    } catch {
      throw CommandFailure(error)
    }
    let output = try output(arguments.value("output") ?? "")
    let scratch = arguments.value("scratch") ?? console.environment["TMPDIR"] ?? "/tmp"
    var settings = ShardSettings(
      shard: shard, output: output, ledger: ledger(arguments, shard, output: output),
      scratch: try self.scratch(scratch), catalogue: URL(fileURLWithPath: models).path,
      // This is the running program, even if an upgrade has replaced its file.
      program: "/proc/self/exe", jobs: try arguments.number("jobs", in: 1...1024) ?? 2)
    settings.family = arguments.value("family")
    settings.target = arguments.value("to")
    settings.rewrite = arguments.has("rewrite")
    settings.keepsAssociations = arguments.has("keep-associations")
    settings.checksPages = !arguments.has("unchecked")
    settings.refusesLosses = arguments.has("strict")
    settings.chunkSize = try arguments.number("chunk-size", in: MappingLimits.chunkRows)
    settings.worker = arguments.value("worker").map { URL(fileURLWithPath: $0).path }
    settings.hangSeconds = Double(try arguments.number("hang-seconds", in: 0...31_536_000) ?? 3600)
    return settings
  }

  /// Checks that the catalogue has a family and the target version, because otherwise each store would be refused.
  private static func checkCatalogue(_ path: String, target: String?) throws(CommandFailure) {
    let families = try InputFile.catalogue(path).families
    guard !families.isEmpty else {
      throw CommandFailure(
        .catalogueUnreadable, "\(path) holds no family that can be used.",
        advice: "Name the folder that holds one folder for each family, and see “decant check”.")
    }
    guard let target, !families.contains(where: { $0.versions.contains { $0.name == target } }) else { return }
    throw CommandFailure(
      .unknownTarget, "No family of \(path) has a version “\(target)”.",
      advice: "“decant check” lists the versions. Correct --to.")
  }

  private static func makePlaces(_ settings: ShardSettings, hasLedgerFolder: Bool) throws(ShardError) {
    try makeFolder(settings.output)
    guard access(settings.output, W_OK | X_OK) == 0 else {
      throw .file(path: settings.output, action: "written", code: errno)
    }
    if hasLedgerFolder {
      let folder = URL(fileURLWithPath: settings.ledger).deletingLastPathComponent()
      let parent = folder.deletingLastPathComponent().path
      // Don't make the parent folder: if its file system isn't mounted, the ledger would be lost.
      guard access(parent, F_OK) == 0 else { throw .file(path: folder.path, action: "made", code: errno) }
      try makeFolder(folder.path)
    }
  }

  private static func makeFolder(_ path: String) throws(ShardError) {
    do {
      try FileCopy.makeFolder(path)
    } catch {
      switch error {
      case .files(_, _, let code, _): throw .file(path: path, action: "made", code: code)
      case .disk(let failure): throw .file(path: path, action: "made", code: failure.code)
      default: throw .file(path: path, action: "made", code: EIO)
      }
    }
  }

  /// The output as an absolute path without links, so that each run has the same path.
  ///
  /// The folder itself may be missing, but not the folder above it. If the file system of the folder above isn't
  /// mounted, results would be lost.
  private static func output(_ path: String) throws(CommandFailure) -> String {
    let url = URL(fileURLWithPath: path)
    guard !FileManager.default.fileExists(atPath: url.path) else { return try InputFile.real(url.path) }
    let parent = url.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: parent) else {
      throw CommandFailure(
        .cantCreate, "The output \(url.path) can't be made: there is no folder \(parent).",
        advice: "Check whether its file system is mounted, or make that folder.")
    }
    let folder = try InputFile.real(parent)
    return (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
  }

  /// The scratch folder as an absolute path without links.
  private static func scratch(_ path: String) throws(CommandFailure) -> String {
    let absolute = URL(fileURLWithPath: path).path
    if access(absolute, R_OK | W_OK | X_OK) != 0, [EACCES, EPERM, EROFS].contains(errno) {
      throw CommandFailure(ShardError.scratch(path: absolute, action: "written", code: errno))
    }
    try InputFile.checkFolder(absolute, what: "folder")
    return try InputFile.real(absolute)
  }

  /// Whether the ledger has the usual name in a folder that the run makes.
  private static func hasLedgerFolder(_ arguments: Arguments) -> Bool {
    arguments.value("ledger")?.hasSuffix("/") ?? true
  }

  private static func ledger(_ arguments: Arguments, _ shard: Shard, output: String) -> String {
    let given = arguments.value("ledger").map { URL(fileURLWithPath: $0).path }
    if let given, !hasLedgerFolder(arguments) { return given }
    return "\(given ?? output + "/ledger")/\(shard.number)-of-\(shard.count).jsonl"
  }

  private static func manifest(_ arguments: Arguments) throws(CommandFailure) -> Manifest {
    if let file = arguments.value("manifest") {
      guard file != "-" else {
        throw CommandFailure(
          .usage, "A manifest is read twice, so it can't be standard input.",
          advice: "Write it to a file first.")
      }
      do throws(ShardError) { return try Manifest(file: file) } catch { throw CommandFailure(error) }
    }
    let folder = arguments.value("find") ?? ""
    try InputFile.checkFolder(folder, what: "folder")
    return Manifest(folder: URL(fileURLWithPath: folder).path)
  }

  /// Refuses places in the folder of the stores, because files that are written there would be found as stores.
  private static func checkFound(
    _ arguments: Arguments, _ settings: ShardSettings
  ) throws(CommandFailure) {
    guard let folder = arguments.value("find") else { return }
    let root = try InputFile.real(folder)
    for (what, place, content) in [
      ("output", settings.output, "results"), ("scratch folder", settings.scratch, "copies"),
    ] where (place + "/").hasPrefix(root == "/" ? root : root + "/") {
      throw CommandFailure(
        .usage, "The \(what) \(place) is in the folder \(folder), so its \(content) would be found as stores.",
        advice: "Name \(what == "output" ? "an output" : "a folder (--scratch)") outside of it.")
    }
  }
}
