internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

/// `decant submit STORE`: drops a copy of a store into a daemon's spool.
enum SubmitCommand {
  static let command = Command(
    "submit", summary: "Drops a copy of a store into a daemon's spool, and waits for the result on request.",
    examples: [
      .init(line: "decant submit Notas.sqlite", meaning: "Drops it; “decant status” shows its job."),
      .init(
        line: "decant submit Notas.sqlite --wait",
        meaning: "Waits, and prints the path of the new store."),
      .init(
        line: "decant submit Notas.sqlite --config my.json5 --to Notas2 --priority 10",
        meaning: "To your own daemon, with a target version and a priority."),
    ],
    arguments: [.init(name: "STORE", kind: .file, help: "The store file; it is copied and never changed.")],
    options: [
      .init(
        "to", "VERSION", kind: .asked(.versions),
        help: "The version to migrate to; default: the family's own target."),
      .init("family", "NAME", kind: .asked(.families), help: "The only family to use."),
      .init("priority", "N", kind: .number, help: "From -100 to 100; the higher comes first; default: 0."),
      .init(
        "name", "NAME",
        help: "The name of the drop, and later of the folder in done/; default: the store's name."),
      .init("wait", help: "Waits until the store is done or refused."),
      .askedSpool, .socket, .configuration, .quiet, .json,
    ],
    notes: [
      "The store is copied with its -wal or -journal and its external data, made readable for the daemon, made "
        + "durable, and then renamed into incoming/. If another program changes the store meanwhile, it is copied again; if "
        + "the third copy fails, too, the exit code is 75. If the name is in use, a number is added.",
      "With --wait: 0 and the new store's path on standard output, or 65 and the reason. Ctrl-C ends the waiting "
        + "with 75, and the job goes on. 69 if no daemon runs; then nothing is dropped. A user who may not use the daemon's "
        + "socket sees the outcome in the spool's folders, without the progress.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let store = StoreFiles(try InputFile.checkStore(arguments[0]))
    // If STORE is a link, this is the name of its target, because the copied files have that name, too.
    let own = try DropName.ofStore(PathText.name(of: store.store))
    let wanted = arguments.value("name") ?? own
    try DropName.check(wanted)
    let request = try request(arguments)
    let place = try DaemonPlace(arguments)
    let client = HealthClient(path: place.socket)
    let spool = try place.spool(arguments, asking: client)
    var follower = arguments.has("wait") ? try follower(client, spool) : nil
    return try StopSignals.watching { () throws(CommandFailure) in
      let name = try drop(store, request, as: wanted, in: spool, console) { () throws(CommandFailure) in
        try follower?.lookAgain()
      }
      if !arguments.has("quiet") {
        console.say(
          name == wanted
            ? "decant: Dropped as “\(PrintedName.of(name))”."
            : "decant: “\(PrintedName.of(wanted))” is taken. Dropped as “\(PrintedName.of(name))”.")
      }
      guard let follower else {
        let path = "\(spool)/incoming/\(name)"
        console.print(
          arguments.has("json")
            ? JSON.object(["drop": .string(PrintedName.of(name)), "path": .string(path)]).lines : [path])
        return ExitCode.success
      }
      return try wait(for: name, store, follower, arguments, console)
    }
  }

  private static func follower(_ client: HealthClient, _ spool: String) throws(CommandFailure)
    -> any DropFollowing
  {
    do throws(CommandFailure) {
      return try DropFollower(client, spool: spool)
    } catch {
      guard error.reason == .permission else { throw error }
      return SpoolFollower(spool: spool)
    }
  }

  private static func wait(
    for name: String, _ store: StoreFiles, _ follower: any DropFollowing, _ arguments: Arguments,
    _ console: Console
  ) throws(CommandFailure) -> Int32 {
    var line = TalkLine(console, isQuiet: arguments.has("quiet"))
    defer { line.end() }
    guard let outcome = try follower.outcome(of: name, show: { line.show($0) }) else {
      throw CommandFailure(
        .stopped, "Stopped waiting. The job of “\(PrintedName.of(name))” goes on.",
        advice: "“decant status '\(PrintedName.of(name))'” shows what comes of it.")
    }
    guard outcome.isDone else { throw outcome.failure }
    let path = "\(outcome.folder)/\(store.name)"
    line.end()
    console.print(
      arguments.has("json")
        ? JSON.object([
          "drop": .string(PrintedName.of(name)), "job": .string(outcome.job), "path": .string(path),
        ]).lines : [path])
    return ExitCode.success
  }

  /// - Parameter prepare: Called between the copying and the rename.
  private static func drop(
    _ store: StoreFiles, _ request: JSON?, as name: String, in spool: String, _ console: Console,
    prepare: () throws(CommandFailure) -> Void
  ) throws(CommandFailure) -> String {
    let folder = try DropFolder(in: spool)
    do throws(CommandFailure) {
      if let group = try folder.fill(from: store, request: request, goesOn: { !StopSignals.isAsked }) {
        console.say(
          "decant: The spool's file system has no access control lists. So until the drop is taken, the members of the "
            + "group with the number \(group) can read and remove it.")
      }
      guard !StopSignals.isAsked else { throw stopped }
      try prepare()
      return try folder.publish(as: name)
    } catch {
      folder.remove()
      throw StopSignals.isAsked ? stopped : error
    }
  }

  private static let stopped = CommandFailure(
    .stopped, "Stopped before the store was dropped.", advice: "Nothing is left in the spool.")

  private static func request(_ arguments: Arguments) throws(CommandFailure) -> JSON? {
    var wishes: [String: JSON] = [:]
    if let version = arguments.value("to") { wishes["to"] = .string(version) }
    if let family = arguments.value("family") { wishes["family"] = .string(family) }
    if let text = arguments.value("priority") {
      guard let number = Int(text), (-100...100).contains(number) else {
        throw CommandFailure(.badNumber(option: "priority", value: text, range: -100...100))
      }
      wishes["priority"] = .integer(number)
    }
    return wishes.isEmpty ? nil : .object(wishes)
  }
}
