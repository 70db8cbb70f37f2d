internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantMigration
internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation
internal import Synchronization

/// `decant migrate STORE --output PATH --models DIR`: migrates a store to another version.
enum MigrateCommand {
  static let command = Command(
    "migrate", summary: "Writes a store in another version of its model.",
    examples: [
      .init(
        line: "decant migrate Notes.sqlite --output Notes-new.sqlite --models Models",
        meaning: "To the target version of the family in Models."),
      .init(
        line: "decant migrate Notes.sqlite --output N.sqlite --models Models --to \"Notes 3\"",
        meaning: "To version “Notes 3”."),
      .init(
        line: "decant migrate --manifest all.txt --shard 3/8 --output Results --models Models",
        meaning: "The third of eight parts of the stores that a file names; see docs/scale-out.md."),
    ],
    arguments: [
      .init(name: "STORE", kind: .file, help: "The store to migrate; it is never changed.", isOptional: true)
    ],
    options: [
      .init(
        "output", "PATH", kind: .file, isRequired: true,
        help: "The file to create; with a manifest, the folder for all results."), .models,
      .target,
      .family,
      .init(
        "manifest", "FILE", kind: .file,
        help: "Migrates the stores that this file names: one path a line, or a NUL byte after each path."),
      .init(
        "find", "FOLDER", kind: .folder,
        help: "Migrates all SQLite files below this folder, in place of a manifest; links are not followed."),
      .init(
        "shard", "K/N",
        help:
          "Migrates only part K of N of the manifest; default: the task of a Slurm array, the index of a Kubernetes job "
          + "(with JOB_COMPLETIONS set), else 1/1."),
      .init(
        "ledger", "FILE", kind: .file,
        help:
          "The shard's ledger; default: PATH/ledger/. A path with / at the end names a folder, and the ledger in it is "
          + "K-of-N.jsonl. A store is skipped if the output has its result, or if the ledger says that it is refused, unless "
          + "its source or the settings have changed."),
      .init("jobs", "N", kind: .number, help: "The number of workers for a manifest; default 2."),
      .init(
        "scratch", "FOLDER", kind: .folder,
        help:
          "Where the stores of a manifest are copied and migrated: on a disk of this machine; default: TMPDIR, else /tmp."
      ),
      .init(
        "dry-run",
        help:
          "Shows the plan, as “decant plan” does, and writes nothing. If policies, functions or programs are missing, it "
          + "shows an error and no plan."),
      .init("force", help: "Replaces an existing file at PATH, with the files that belong to it."),
      .rewrite, .strict,
      .init(
        "chunk-size", "N", kind: .number,
        help: "The number of rows in a chunk, the unit of progress and resuming."),
      .init(
        "worker", "PATH", kind: .file,
        help:
          "The executable with the team's policy classes. The migration runs in it, and not in the worker that the "
          + "family names; see docs/core-data-names.md."
      ),
      .init(
        "hang-seconds", "N", kind: .number,
        help:
          "The seconds without progress after which the worker is ended; default 3600, 0 for no limit. Policy "
          + "programs have their own limit: 300 s for each batch, or “timeLimit” in the mapping model."),
      .init(
        "keep-associations",
        help: "Keeps a file beside PATH that says which object became which: NAME.associations.sqlite."),
      .init(
        "unchecked",
        help:
          "Doesn't check pages and indexes of STORE and of the result for damage. The report then doesn't have their "
          + "sizes and SHA-256. Use it for a store that was just checked, and for measurements."),
      .json, .quiet,
    ],
    notes: [
      "Working files are kept in PATH.decant until the work is done. Ctrl-C stops between two chunks (exit code 75); "
        + "the same command then continues from there. To discard the work, delete PATH.decant.",
      "With a manifest or --find the exit code is 0 if all stores are done; 65 if some are refused (the ledger says which "
        + "and why); 75 if some may be migrated later, the run was stopped, or the output is full: the same command "
        + "continues. Other codes are for faults that don't belong to a single store: 64 a wrong command, manifest or "
        + "ledger; 66 a missing file, a scratch folder that can't be used here, or no store found; 73 an output that can't "
        + "be made; 74 a disk with a fault; 77 a file or folder that this user may not read or write, or no store that this "
        + "user may read; 78 a catalogue without a usable family, or a worker of --worker that can't be used.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    if ShardMigration.isMeant(arguments) { return try ShardMigration.run(arguments, console) }
    try ShardMigration.checkAbsence(arguments)
    guard !arguments.positional.isEmpty else {
      throw CommandFailure(
        .usage, UsageError.missingArgument(command.arguments[0]).description,
        advice: "“decant migrate --help” shows the usage.")
    }
    let chunkSize = try arguments.number("chunk-size", in: MappingLimits.chunkRows)
    let hangSeconds = try arguments.number("hang-seconds", in: 0...31_536_000) ?? 3600
    let worker = arguments.value("worker").map {
      WorkerRun(executable: URL(fileURLWithPath: $0).path, hangSeconds: Double(hangSeconds))
    }
    let source = StoreFiles(try InputFile.checkStore(arguments[0]))
    let models = arguments.value("models") ?? ""
    try InputFile.checkFolder(models, what: "catalogue")
    let place = try OutputPlace(
      arguments.value("output") ?? "", sources: [source.store], overwrites: arguments.has("force"))
    guard !arguments.has("dry-run") else {
      return try PlanCommand.run(arguments, console, requiresCode: true)
    }
    let folder = try WorkFolder(
      place.path + ".decant", source: source,
      arguments: [
        URL(fileURLWithPath: models).resolvingSymlinksInPath().path, arguments.value("family") ?? "",
        arguments.value("to") ?? "", arguments.has("rewrite") ? "rewrite" : "",
      ] + (arguments.has("keep-associations") ? ["associations"] : [])
        + (arguments.has("unchecked") ? ["unchecked"] : [])
        + (worker.map { ["worker", $0.executable] } ?? []))
    try place.check(folder.start)
    let result = StoreFiles(URL(fileURLWithPath: folder.result).path + "/" + place.files.name)
    var job = MigrationJob(
      source: URL(fileURLWithPath: source.store), output: URL(fileURLWithPath: result.store),
      workFolder: URL(fileURLWithPath: folder.work), catalogue: URL(fileURLWithPath: models),
      family: arguments.value("family"), target: arguments.value("to"), rewrite: arguments.has("rewrite"),
      chunkSize: chunkSize, keepsAssociations: arguments.has("keep-associations"),
      checksPages: !arguments.has("unchecked"), refusesLosses: arguments.has("strict"))
    job.notesResult = true
    let isQuiet = arguments.has("quiet")
    if !isQuiet { announce(source, folder.start, console) }
    let report: MigrationReport
    if let data = folder.finished?.report,
      let kept = try? JSONDecoder().decode(MigrationReport.self, from: data)
    {
      report = kept
      if job.refusesLosses { try refuseLosses(of: kept, keptIn: folder) }
    } else {
      if job.refusesLosses, let noted = folder.noted { try refuseLosses(of: noted, keptIn: folder) }
      report =
        if let noted = folder.noted { noted } else {
          try migrate(
            job, worker, hangSeconds: Double(hangSeconds), in: folder, place, isQuiet: isQuiet, console)
        }
      if report.result == .alreadyCurrent { try StoreCopy.copy(source, to: result) }
      if let data = try? JSONEncoder().encode(report) {
        try folder.finish(result, quarantines: quarantines(report), report: data)
      }
    }
    try place.install(result, quarantines: quarantines(report), from: folder)
    folder.remove()
    if arguments.has("json") {
      console.print(try JSON(encoding: report).lines)
    } else {
      var status = stat()
      let bytes = stat(place.path, &status) == 0 ? Int(status.st_size) : 0
      console.print(ReportText.lines(report, output: place.path, bytes: bytes))
      // Without its associations, a result of mapping models can't be compared.
      if !isQuiet, report.result == .migrated,
        report.associations != nil || report.steps.allSatisfy({ $0.way != nil })
      {
        let choice = ["family", "to"].flatMap { name in arguments.value(name).map { ["--\(name)", $0] } ?? [] }
        let line = ["decant", "verify", arguments[0], place.path, "--models", models] + choice
        console.print(["", "Next:", "  " + PlainText.of(ShellQuoting.line(line))])
      }
    }
    return ExitCode.success
  }

  /// Refuses the result of an earlier run that had no `--strict`, if this result has losses that the family doesn't
  /// accept.
  private static func refuseLosses(
    of report: MigrationReport, keptIn folder: WorkFolder
  ) throws(CommandFailure) {
    guard let failure = report.forbiddenLosses() else { return }
    throw CommandFailure(
      failure.reason, failure.message, exitCode: failure.exitCode,
      advice:
        "An earlier run has finished the store. Without --strict the same command puts it into place. To discard it, "
        + "delete \(folder.path).", coreDataCode: failure.coreDataCode)
  }

  private static func quarantines(_ report: MigrationReport) -> [String] {
    report.steps.compactMap(\.quarantine?.store) + [report.strayRows?.store].compactMap(\.self)
  }

  private static func announce(_ source: StoreFiles, _ start: WorkFolder.Start, _ console: Console) {
    let name = PrintedName.of(source.name)
    switch start {
    case .fresh: console.say("decant: Migrating \(name).")
    case .resumed:
      console.say(
        "decant: Continuing \(name) from the last run; results that still fit are reused."
      )
    case .finished: console.say("decant: The last run has finished \(name); putting it into place.")
    case .outdated:
      console.say("decant: \(name) or the arguments have changed since the last run; starting again.")
    case .unknown:
      console.say("decant: The last run's record about \(name) can't be read; starting again.")
    }
  }

  private static func migrate(
    _ job: MigrationJob, _ worker: WorkerRun?, hangSeconds: Double, in folder: WorkFolder, _ place: OutputPlace,
    isQuiet: Bool, _ console: Console
  ) throws(CommandFailure) -> MigrationReport {
    let hasBegun = Mutex(false)
    let display = Mutex(ProgressDisplay(isTerminal: console.messages.isTerminal, width: console.messages.width))
    let start = ContinuousClock.now
    do throws(MigrationFailure) {
      let report = try Interruption.watching { () throws(MigrationFailure) in
        let tell: @Sendable (MigrationProgress) -> Void = { progress in
          if progress.steps > 0 { hasBegun.withLock { $0 = true } }
          guard !isQuiet, !Interruption.isAsked else { return }
          let elapsed = start.duration(to: .now) / .seconds(1)
          display.withLock { if let text = $0.text(for: progress, at: elapsed) { console.tell(text) } }
        }
        let said: @Sendable (String) -> Void = { line in
          guard !isQuiet else { return }
          display.withLock { console.tell($0.end() + "worker: \(PlainText.of(line))\n") }
        }
        if let worker {
          return try worker.run(
            WorkerJob(job), shouldStop: { Interruption.isAsked }, said: said, progress: tell)
        }
        return try own(job, hangSeconds: hangSeconds, said, tell)
      }
      console.tell(display.withLock { $0.end() })
      return report
    } catch {
      console.tell(display.withLock { $0.end() })
      throw self.failure(error, in: folder, place, hasBegun: hasBegun.withLock(\.self))
    }
  }

  /// Runs the migration in this process, or in the worker that the store's family names.
  private static func own(
    _ job: MigrationJob, hangSeconds: Double, _ said: @escaping @Sendable (String) -> Void,
    _ tell: @escaping @Sendable (MigrationProgress) -> Void
  ) throws(MigrationFailure) -> MigrationReport {
    var own = job
    own.runner = .shipped
    do throws(MigrationFailure) {
      return try Migration.run(own, shouldStop: { Interruption.isAsked }, progress: tell)
    } catch {
      guard let worker = try familyWorker(error, job, hangSeconds: hangSeconds) else { throw error }
      return try worker.run(WorkerJob(job), shouldStop: { Interruption.isAsked }, said: said, progress: tell)
    }
  }

  /// The worker that the store's family names; `nil` if the migration failed for another reason, or if `family.json5`
  /// can't be read.
  ///
  /// The worker has to meet the daemon's conditions for worker files.
  private static func familyWorker(
    _ failure: MigrationFailure, _ job: MigrationJob, hangSeconds: Double
  ) throws(MigrationFailure) -> WorkerRun? {
    guard failure.reason == .otherWorker, let family = failure.family,
      let path = try? FamilyWorker.path(of: family, in: job.catalogue)
    else { return nil }
    if let problem = WorkerFile.problem(with: path) {
      throw MigrationFailure(
        .workerUnusable,
        message: (FamilyWorker.place(of: family, in: job.catalogue).map { "\($0): " } ?? "") + problem,
        advice: "Correct that, or name another worker with --worker.", family: family)
    }
    return WorkerRun(executable: path, hangSeconds: hangSeconds)
  }

  /// Keeps the working files if a later run can use them; otherwise removes them.
  ///
  /// - Parameter hasBegun: Whether this run has begun a step of the migration.
  private static func failure(
    _ error: MigrationFailure, in folder: WorkFolder, _ place: OutputPlace, hasBegun: Bool
  ) -> CommandFailure {
    func keeping(_ words: String) -> CommandFailure {
      CommandFailure(
        error.reason, error.message, exitCode: error.exitCode, details: error.details,
        advice: [error.advice, words].filter { !$0.isEmpty }.joined(separator: " "),
        coreDataCode: error.coreDataCode)
    }
    switch error.disposition {
    case .refuse, .catalogue:
      // An earlier run's work is kept in three cases. A refusal before the first step, such as one for an error in a
      // mapping model, doesn't concern that work. Another worker may resume the work. A run without --strict may
      // resume what --strict refuses.
      let isKept = !hasBegun || error.reason == .dataLoss
      if folder.hasWork, error.reason == .workerUnusable || isKept && folder.start == .resumed {
        return keeping(
          "The work of an earlier run is kept in \(folder.path) until this is fixed. To discard it, delete the "
            + "folder.")
      }
      folder.remove()
      return CommandFailure(error)
    case .stopped:
      return CommandFailure(
        error.reason, "Stopped; \(place.path) is not written yet.", exitCode: error.exitCode,
        advice: "The same command continues from here. To discard the work, delete \(folder.path).",
        coreDataCode: error.coreDataCode)
    case .retry, .fault:
      guard folder.hasWork else {
        folder.remove()
        return CommandFailure(error)
      }
      return keeping("The finished work is kept in \(folder.path); the same command continues from there.")
    }
  }
}
