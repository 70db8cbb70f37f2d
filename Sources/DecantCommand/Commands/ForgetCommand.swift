internal import DecantConsole
internal import DecantReport

/// `decant forget JOB`: removes the folder of a job that is over from the spool.
enum ForgetCommand {
  static let command = Command(
    "forget", summary: "Removes a job that is over from the spool: result, original and report files.",
    examples: [
      .init(line: "decant forget 20261120T140000-000007", meaning: "A job in done/ or failed/, by its name."),
      .init(line: "decant forget Notas", meaning: "The folder done/Notas."),
      .init(line: "decant forget Notas --dry-run", meaning: "Says what would be removed, and changes nothing."),
    ],
    arguments: [
      .init(
        name: "JOB", kind: .asked(.endedJobs),
        help: "A job, the name of its folder in done/ or failed/, or that of its drop.")
    ],
    options: [
      .init("dry-run", help: "Only says what would be removed."), .spool, .configuration,
    ],
    notes: [
      "The folder is removed durably. Nothing else in the spool has files of the job. Lines of the progress log and the "
        + "journal stay. The command needs the permissions of the daemon's user. Exit code 66 if there is no such job, 77 "
        + "without permission.",
      "If a drop had several jobs, its latest job is removed. If a folder in done/ or failed/ has the name, that folder "
        + "is removed.",
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
