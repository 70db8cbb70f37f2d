internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

/// `decant status [JOB]`: asks a running daemon what it does.
enum StatusCommand {
  static let command = Command(
    "status", summary: "Shows what a running daemon does: its queue, its jobs and the last results.",
    examples: [
      .init(line: "decant status", meaning: "The daemon of this machine."),
      .init(
        line: "decant status --config ~/decant/decantd.json5 Notas",
        meaning: "One job of your own daemon: by the name of its drop, or of the job."),
      .init(line: "decant status --json", meaning: "For scripts: what /status says."),
    ],
    arguments: [
      .init(
        name: "JOB", kind: .asked(.jobs), help: "A job, or the name of a drop; only this job is shown.",
        isOptional: true)
    ],
    options: [.socket, .configuration, .json],
    notes: [
      "Exit code 0 also if the daemon isn't ready; 66 if it doesn't know the job, 69 if no daemon runs, 77 if you "
        + "may not use its socket; then the message says where results are. The daemon knows the jobs that aren't over, "
        + "and the last 50 results since its start; older ones are in done/ and failed/, with report.json or reason.json."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let place = try DaemonPlace(arguments)
    let (status, json) = try place.asking { () throws(CommandFailure) in
      try HealthClient(path: place.socket).status()
    }
    let name = arguments[0]
    guard !name.isEmpty else {
      console.print(
        arguments.has("json") ? json.lines : StatusText(status, width: min(console.output.width, 100)).lines)
      return ExitCode.success
    }
    if arguments.has("json") {
      guard let job = entry(of: name, in: json) else { throw unknown(name) }
      console.print(job.lines)
    } else {
      let text = StatusText(status, width: min(console.output.width, 100)) {
        // A folder can't be looked up if its printed name isn't its real name.
        access($0, F_OK) != 0 && errno == ENOENT && PrintedName.of($0) == $0
      }
      guard let lines = text.lines(of: name) else {
        throw unknown(name)
      }
      console.print(lines)
    }
    return ExitCode.success
  }

  private static func entry(of name: String, in status: JSON) -> JSON? {
    guard case .object(let lists) = status else { return nil }
    for list in ["running", "waiting", "queued", "blocked", "results"] {
      guard case .array(let entries)? = lists[list] else { continue }
      for case .object(var entry) in entries
      where entry["job"] == .string(name) || entry["drop"] == .string(name) {
        entry["list"] = .string(list)
        return .object(entry)
      }
    }
    return nil
  }

  private static func unknown(_ name: String) -> CommandFailure {
    CommandFailure(
      .noSuchJob, "The daemon knows no job or drop “\(name)”.",
      advice: "Look into the folders incoming, done and failed of its spool.")
  }
}
