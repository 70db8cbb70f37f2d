internal import DecantSpool
internal import FileNames
internal import Synchronization

/// Removes old results from `done/` and `failed/`, and files that interrupted commands have left in the spool.
///
/// The removal runs on a queue, so the loop never waits for it.
final class Retention {
  /// The seconds between the starts of two rounds (`RetentionRound`).
  static let pace = 3600.0

  private let context: DaemonContext
  private let queues = DiskQueues(1)
  private let book = OutcomeBook<RetentionRound.Event?>()
  private let isOver = StopFlag()
  private var dueAt = -Double.infinity
  private var isUnderWay = false

  private final class StopFlag: Sendable {
    private let value = Mutex(false)
    func set() { value.withLock { $0 = true } }
    var isSet: Bool { value.withLock { $0 } }
  }

  init(_ context: DaemonContext) { self.context = context }

  var descriptor: Int32 { book.descriptor }

  /// When the next round is due, in seconds of the steady clock.
  var deadline: Double { isUnderWay ? .infinity : dueAt }

  func hurry() { dueAt = -.infinity }

  func begin(at now: Double) {
    guard now >= deadline else { return }
    (isUnderWay, dueAt) = (true, now + Self.pace)
    let round = RetentionRound(
      spool: context.spool, rules: context.configuration.retention, now: context.clock.wall())
    let sweep = StraySweep(spool: context.spool, now: round.now)
    let (book, isOver) = (book, isOver)
    queues.async {
      sweep.run(goesOn: { !isOver.isSet }, report: { book.add($0) })
      round.run(goesOn: { !isOver.isSet }, report: { book.add($0) })
      book.add(nil)
    }
  }

  /// Reports the events of rounds.
  ///
  /// - Returns: The number of folders that were removed from `done/` and from `failed/`.
  func take() -> (done: Int, failed: Int) {
    var removed = (done: 0, failed: 0)
    for event in book.take() {
      switch event {
      case nil: isUnderWay = false
      case .removed(let folder, let isDone, let cause)?:
        if isDone { removed.done += 1 } else { removed.failed += 1 }
        report(folder, in: isDone ? context.spool.done : context.spool.failed, cause)
      case .kept(let path, let reason)?:
        context.events.say(
          once: "kept \(path)", .warning, "“\(path)” is never removed, because \(reason).", event: "kept")
      case .failed(let failure)?:
        context.events.say(.warning, "An old result stays. \(failure)", event: "kept")
      case .swept(let path)?:
        let printed = PrintedName.of(path)
        context.events.write(event: "swept", [("path", printed)])
        context.events.say(
          .notice,
          "Removed “\(printed)”: an interrupted command has left it, and nothing in it has changed for 36 hours.",
          event: "swept")
      case .strayStays(let path, let failure)?:
        context.events.say(
          once: "stray \(path)", .warning,
          "An interrupted command has left “\(PrintedName.of(path))”. It can't be removed. \(failure) Remove it as its owner: "
            + "rm -r \(ShellQuoting.quote(path))", event: "swept")
      }
    }
    return removed
  }

  /// Stops the running round before its next folder, and waits for the round's end.
  func finish() {
    isOver.set()
    queues.finish()
  }

  private func report(_ folder: FinishedFolder, in place: FolderHandle, _ cause: String) {
    let path = PrintedName.of(place.path(of: folder.name))
    context.events.write(
      event: "removed",
      [
        ("job", folder.job), ("drop", folder.drop), ("cause", cause), ("bytes", "\(folder.bytes)"),
        ("folder", path),
      ])
    let reason = cause == "age" ? "it is old" : "done takes more than keepDoneBytes"
    context.events.say(
      .notice, "Removed “\(path)” (job \(folder.job)), because \(reason).", event: "removed")
  }
}
