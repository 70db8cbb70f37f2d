internal import DecantConsole
internal import DecantMigration
internal import DecantReport
internal import DecantStore
internal import DecantWorker
internal import Foundation

/// `decant plan STORE --models DIR`: shows what a migration would do.
enum PlanCommand {
  static let worker = Command.Option(
    "worker", "PATH", kind: .file,
    help: "The worker to ask for policy classes and functions, in place of the one that family.json5 names.")

  static let command = Command(
    "plan", summary: "Shows what a migration of a store would do, need and lose.",
    examples: [
      .init(line: "decant plan Notes.sqlite --models Models", meaning: "To the family's target."),
      .init(
        line: "decant plan Notes.sqlite --models Models --to \"Notes 3\"", meaning: "To version “Notes 3”."),
      .init(
        line: "decant plan Stores --models Models",
        meaning: "A census of all stores below a folder: versions, ways, and what would fail."),
    ],
    arguments: [
      .init(
        name: "STORE", kind: .file, help: "The store file, with its -wal beside it; or a folder with stores.")
    ],
    options: [
      .models, .target, .family, .rewrite, .strict,
      worker,
      .init(
        "verbose", letter: "v",
        help:
          "Shows each attribute and relationship of mapping models; for a folder, every store that would fail."),
      .json,
    ],
    notes: [
      "Types of entity mappings: objects are copied (copy), changed (transform), or made by a policy (custom); "
        + "the entity is new (add), or is removed (remove). “Filtered” is the number of rows that a "
        + "filter excludes. “Without value” is the number of other rows without a value of “uniqueBy”. Only the rows of the "
        + "first step are counted: later steps read stores that don't exist yet.",
      "Nothing is written. --rewrite and --strict plan what “decant migrate” would do with them.",
      "Exit code 65 and the reason if the store can't be migrated. 78 if the worker lacks policies that the plan needs, or "
        + "if programs are missing; the warnings name them. Without a worker, missing classes are only warnings.",
      "In a folder, the command plans every file that has the name ending or the first bytes of a store. It skips links, "
        + "names that begin with a dot, and folders of models. Exit code 65 if a store would fail, or if a file or folder "
        + "can't be read.",
    ], run: { arguments, console throws(CommandFailure) in try run(arguments, console) })

  /// - Parameter requiresCode: Whether missing policies are a failure, as in “decant migrate”.
  static func run(
    _ arguments: Arguments, _ console: Console, requiresCode: Bool = false
  ) throws(CommandFailure) -> Int32 {
    let worker = arguments.value("worker")
    let ask: PlannedCode.Question = { WorkerQuestion.classes(given: worker, family: $0) }
    if !requiresCode, try CensusRun.isFolder(arguments[0]) {
      return try CensusRun.run(arguments, console) { path throws(CommandFailure) in
        try attempt(path, arguments, code: .asked(ask))
      }
    }
    let plan: MigrationPlan
    switch try attempt(arguments, code: requiresCode ? .required(ask) : .asked(ask)) {
    case .success(let made): plan = made
    case .failure(let failure): throw CommandFailure(failure)
    }
    if arguments.has("json") {
      console.print(try JSON(encoding: plan).lines)
    } else {
      console.print(PlanText.lines(plan, isVerbose: arguments.has("verbose")))
    }
    return plan.missingCode.isEmpty ? ExitCode.success : ExitCode.configuration
  }

  static func attempt(
    _ arguments: Arguments, code: PlannedCode
  ) throws(CommandFailure) -> Result<MigrationPlan, MigrationFailure> {
    let source = try InputFile.checkStore(arguments[0])
    try InputFile.checkFolder(arguments.value("models") ?? "", what: "catalogue")
    return try attempt(source, arguments, code: code)
  }

  /// The plan for a store whose path was checked already.
  static func attempt(
    _ source: String, _ arguments: Arguments, code: PlannedCode
  ) throws(CommandFailure) -> Result<MigrationPlan, MigrationFailure> {
    let models = arguments.value("models") ?? ""
    let scratch = try ScratchPlace.forCommand()
    defer { scratch.remove() }
    let job = MigrationJob(
      source: URL(fileURLWithPath: source), output: URL(fileURLWithPath: scratch.path + "/output"),
      workFolder: URL(fileURLWithPath: scratch.path + "/work"), catalogue: URL(fileURLWithPath: models),
      family: arguments.value("family"), target: arguments.value("to"), rewrite: arguments.has("rewrite"),
      refusesLosses: arguments.has("strict"))
    do { return .success(try Migration.plan(job, code: code)) } catch { return .failure(error) }
  }
}
