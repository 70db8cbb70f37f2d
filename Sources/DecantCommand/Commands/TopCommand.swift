internal import DecantConsole

/// `decant top`: shows the running jobs of a daemon live.
enum TopCommand {
  static let command = Command(
    "top", summary: "Shows a running daemon's jobs live, with a bar for each pass.",
    examples: [
      .init(line: "decant top", meaning: "The daemon of this machine; q or Ctrl-C ends it."),
      .init(
        line: "decant top --config ~/decant/decantd.json5 --interval 5",
        meaning: "Your own daemon, every five seconds; plain lines if the output isn't a terminal."),
    ],
    arguments: [],
    options: [
      .socket, .configuration,
      .init(
        "interval", "SECONDS", kind: .number,
        help:
          "The seconds between two updates, 1 to 3600; default: 1 on a terminal, else the output comes only once."
      ),
    ],
    notes: [
      "On a terminal the output is a screen, in colour unless NO_COLOR is set. Exit code 69 if no daemon runs at the "
        + "start; a screen that is shown already stays, and waits for the daemon."
    ], run: run)

  /// The seconds within which the daemon has to answer; few, because keys have no effect meanwhile.
  private static let patience = 2.0
  private static let quits: Set<UInt8> = [UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4]

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let place = try DaemonPlace(arguments)
    var client = HealthClient(path: place.socket)
    client.patience = patience
    let interval = try arguments.number("interval", in: 1...3600)
    // Ask before the screen begins: without a daemon, there is only an error.
    let first = try place.asking { () throws(CommandFailure) in try client.status().values }
    if console.output.isTerminal {
      StopSignals.watching { show(first, client, every: Double(interval ?? 1), on: console) }
    } else {
      try list(first, client, every: interval.map(Double.init), on: console)
    }
    return ExitCode.success
  }

  private static func show(
    _ first: DaemonStatus, _ client: HealthClient, every interval: Double, on console: Console
  ) {
    let screen = FullScreen(console.output)
    screen.begin()
    defer { screen.end() }
    var (status, trouble) = (first, nil as String?)
    var lookedAt = ContinuousClock.now
    while !StopSignals.isAsked, !screen.isLost {
      let size = screen.size
      screen.draw(
        TopScreen(status, width: size.width, height: size.height, trouble: trouble).lines,
        inColour: console.usesColour(on: console.output))
      let left = interval - lookedAt.duration(to: .now) / .seconds(1)
      if let key = screen.key(within: left) {
        if quits.contains(key) { return }
        continue
      }
      guard lookedAt.duration(to: .now) / .seconds(1) >= interval else { continue }
      do throws(CommandFailure) {
        status = try client.status().values
        trouble = nil
      } catch {
        trouble = error.message
      }
      lookedAt = .now
    }
  }

  private static func list(
    _ first: DaemonStatus, _ client: HealthClient, every interval: Double?, on console: Console
  ) throws(CommandFailure) {
    console.print(TopReport(first).lines)
    guard let interval else { return }
    try StopSignals.watching { () throws(CommandFailure) in
      while pause(interval), !console.isClosed { console.print(TopReport(try client.status().values).lines) }
    }
  }

  private static func pause(_ seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !StopSignals.isAsked {
      let left = ContinuousClock.now.duration(to: end) / .seconds(1)
      guard left > 0 else { return true }
      StopSignals.wait(seconds: left)
    }
    return false
  }
}
