internal import DecantReport
internal import FileNames

/// `decant retry JOB`: drops a refused store again.
enum RetryCommand {
  static let command = Command(
    "retry", summary: "Drops refused stores again, for example after the catalogue was corrected.",
    examples: [
      .init(line: "decant retry 20261120T140000-000007", meaning: "One job of the folder failed."),
      .init(
        line: "decant retry --all --reason not-inferable", meaning: "All stores that were refused for a reason."
      ),
    ],
    arguments: [
      .init(name: "JOB", kind: .text, help: "The name of a folder in failed.", isOptional: true)
    ],
    options: [
      .init("all", help: "All refused stores with the reason of --reason."),
      .init("reason", "WORD", help: "A reason in reason.json, such as not-inferable."), .spool, .configuration,
      .json,
    ],
    notes: [
      "The original moves back into incoming by a rename, under its old name and with its request; if the name is "
        + "taken, a number is added. Then the folder in failed is removed with its papers. The job begins anew.",
      "It needs the rights of the daemon's user. Exit code 66 if there is no such job.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let spool = try DaemonPlace(arguments).spool
    var dropped: [(entry: SpoolEntry, name: String)] = []
    func drop(_ entry: SpoolEntry) throws(CommandFailure) {
      let name = try entry.dropAgain()
      dropped.append((entry, name))
      if !arguments.has("json") { console.print("\(spool)/incoming/\(name)") }
    }
    switch (arguments.has("all"), arguments.value("reason"), arguments[0]) {
    case (true, let reason?, ""):
      for entry in try SpoolEntry.failed(in: spool) where entry.paper.reason == reason { try drop(entry) }
      if !arguments.has("json") {
        console.say("decant: Dropped \(Quantity.count(dropped.count, "store")) again.")
      }
    case (false, nil, let job) where !job.isEmpty:
      try drop(try SpoolEntry.named(job, in: spool, places: ["failed"]))
    default:
      throw CommandFailure(
        .usage, "Name either one job, or --all with --reason WORD.",
        advice: "“decant retry --help” shows the usage.")
    }
    if arguments.has("json") {
      console.print(
        JSON.array(
          dropped.map {
            .object(["job": .string($0.entry.name), "path": .string("\(spool)/incoming/\($0.name)")])
          }
        ).lines)
    }
    return ExitCode.success
  }
}
