internal import DecantConsole
internal import DecantReport

/// `decant forget JOB`: removes the folder of a job from `done/` or `failed/`.
enum ForgetCommand {
  static let command = Command(
    "forget", summary: "Removes the folder of a job that is over, with all files in it, from done/ or failed/.",
    examples: [
      .init(line: "decant forget 20261120T140000-000007", meaning: "A job in done/ or failed/, by its name."),
      .init(line: "decant forget Notas", meaning: "The folder done/Notas."),
      .init(line: "decant forget Notas --dry-run", meaning: "Says what would be removed, and changes nothing."),
    ],
    arguments: [
      .init(
        name: "JOB", kind: .asked(.endedJobs),
        help: "The name of the job, of its folder in done/ or failed/, or of its drop.")
    ],
    options: [
      .init("dry-run", help: "Only says what would be removed."), .spool, .configuration,
    ],
    notes: [
      "The folder is removed durably. Lines of the progress log and the journal stay. The file .programs/JOB.json stays "
        + "while a program of onDone or onFailed has to run or is running. The command needs the permissions of the daemon's "
        + "user. Exit code 66 if there is no such job, 77 without permission.",
      "The command looks in failed/ first, and then in done/. In each of them, a job with the name comes before a folder "
        + "with the name. If there is none, the latest job of the drop with the name is removed.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let (name, spool, places) = (arguments[0], try DaemonPlace(arguments).spool, ["failed", "done"])
    let isDry = arguments.has("dry-run")
    let entry: SpoolEntry
    do throws(CommandFailure) {
      entry = try SpoolEntry.named(name, in: spool, places: places)
    } catch {
      guard error.reason == .noSuchJob,
        let rest = try SpoolEntry.rest(of: name, in: spool, places: places)
      else { throw error }
      if !isDry { try rest.remove() }
      let verb = isDry ? "Would remove" : "Removed"
      console.say("decant: \(verb) \(rest.path), which an interrupted removal had left.")
      return ExitCode.success
    }
    if isDry {
      console.say("decant: Would remove \(entry.path), \(try entry.contents()); nothing was changed.")
    } else {
      try entry.remove()
      console.say("decant: Removed \(entry.path).")
    }
    return ExitCode.success
  }
}
