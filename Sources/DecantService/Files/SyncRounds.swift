internal import Dispatch
internal import Synchronization

/// Makes durable together what several jobs wait for at the same time: one call for the whole file system in the place
/// of a dozen for each job.
///
/// Whoever waits alone is served item by item. Those who come meanwhile form a round, which is begun after they came
/// and therefore holds all that they have written. A file system that takes long over a round, because others write
/// much to it, is left alone for a while, each time twice as long.
///
/// The kernel tells of a write that has failed in the first round after it, and in no later one, whoever has written. So
/// there are no further rounds then: `fsync` of a file still tells of the file's own.
package final class SyncRounds: Sendable {
  /// How a caller's items become durable.
  private enum Way: Sendable {
    /// Item by item.
    case single
    /// Item by item, as everybody else.
    case apart
    /// By a round that the caller leads.
    case lead
    /// By a round of another caller's; the errno.
    case served(Int32)
  }

  /// A caller that waits to be told its way.
  private final class Request: Sendable {
    private let way = Mutex<Way?>(nil)
    private let bell = DispatchSemaphore(value: 0)

    func tell(_ way: Way) {
      self.way.withLock { $0 = way }
      bell.signal()
    }

    /// The way; `nil` where nobody has told it before a moment.
    func wait(until end: DispatchTime) -> Way? {
      _ = bell.wait(timeout: end)
      return way.withLock { $0 }
    }
  }

  private struct State {
    /// Callers that are served item by item.
    var single = 0
    var isRoundUnderWay = false
    var waiting: [Request] = []
    /// No rounds before this moment.
    var restUntil: ContinuousClock.Instant?
    var rest = SyncRounds.firstRest
    /// No rounds any more.
    var isOver = false

    func isResting(_ now: ContinuousClock.Instant) -> Bool { isOver || restUntil.map { now < $0 } ?? false }

    /// The way of a caller that has just come; `nil` where it has to wait.
    mutating func enter(_ request: Request, _ now: ContinuousClock.Instant) -> Way? {
      if isResting(now) { return .apart }
      if single == 0, !isRoundUnderWay {
        single += 1
        return .single
      }
      if !isRoundUnderWay, waiting.count + 1 >= enough {
        isRoundUnderWay = true
        return .lead
      }
      waiting.append(request)
      return nil
    }

    /// Who goes on after the end of somebody's turn, and how.
    mutating func next(_ now: ContinuousClock.Instant) -> [(Request, Way)] {
      guard !isRoundUnderWay, let first = waiting.first else { return [] }
      if isResting(now) {
        defer { waiting = [] }
        return waiting.map { ($0, .apart) }
      }
      if waiting.count == 1, single > 0 { return [] }
      waiting.removeFirst()
      if waiting.isEmpty {
        single += 1
        return [(first, .single)]
      }
      isRoundUnderWay = true
      return [(first, .lead)]
    }
  }

  /// As many as wait don't let a round wait for the end of what goes on.
  static let enough = 4
  private static let firstRest = Duration.seconds(30)
  private static let longestRest = Duration.seconds(3600)

  /// Whether the caller waits together with others: the daemon's loop, which must not wait for what others have written,
  /// doesn't.
  @TaskLocal static var isShared = false

  /// The longest that anybody waits for company.
  private let patience: DispatchTimeInterval
  /// A round of this length is too long for those who would have had to wait for less alone.
  private let tooLong: Duration

  private let state = Mutex(State())
  /// Waits until all that was written to the file system is durable, and gives the errno; `nil` where that can't be
  /// relied on.
  private let whole: (@Sendable () -> Int32)?
  /// Waits for the items alone.
  private let each: @Sendable ([SyncItem]) throws(FileFailure) -> Void

  /// For the file system that a folder is on.
  package convenience init(of folder: FolderHandle) {
    guard let system = FileSystemSync(of: folder) else {
      self.init(whole: nil)
      return
    }
    self.init { system.run() }
  }

  init(
    tooLong: Duration = .milliseconds(500), patience: DispatchTimeInterval = .milliseconds(20),
    each: @escaping @Sendable ([SyncItem]) throws(FileFailure) -> Void = { items throws(FileFailure) in
      for item in items { try item.sync() }
    },
    whole: (@Sendable () -> Int32)?
  ) {
    self.tooLong = tooLong
    self.patience = patience
    self.each = each
    self.whole = whole
  }

  /// Waits until the items are durable.
  func settle(_ items: [SyncItem]) throws(FileFailure) {
    guard let whole, Self.isShared, !items.isEmpty else { return try each(items) }
    let request = Request()
    let way =
      state.withLock { $0.enter(request, ContinuousClock.now) }
      ?? request.wait(until: DispatchTime.now() + patience) ?? giveUp(request)
    switch way {
    case .apart: try each(items)
    case .single:
      defer { leave { $0.single -= 1 } }
      try each(items)
    case .lead: try finish(items, lead(whole))
    case .served(let code): try finish(items, code)
    }
  }

  /// Nobody has come: the caller goes its own way, if nobody has taken it along just now.
  private func giveUp(_ request: Request) -> Way {
    let isOwn = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === request }) else { return false }
      state.waiting.remove(at: index)
      state.single += 1
      return true
    }
    return isOwn ? .single : request.wait(until: .distantFuture) ?? .apart
  }

  /// Serves all who wait by now, and the caller.
  private func lead(_ whole: @Sendable () -> Int32) -> Int32 {
    let served = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    let start = ContinuousClock.now
    let code = whole()
    let end = ContinuousClock.now
    leave { state in
      state.isRoundUnderWay = false
      if code != 0 { state.isOver = true }
      if end - start > tooLong {
        state.restUntil = end + state.rest
        state.rest = min(state.rest * 2, Self.longestRest)
      }
    }
    // Last: who hears of a failure finds that there are no rounds any more.
    for request in served { request.tell(.served(code)) }
    return code
  }

  /// Ends a turn, and has those who wait go on.
  private func leave(_ change: (inout State) -> Void) {
    let next = state.withLock { state in
      change(&state)
      return state.next(ContinuousClock.now)
    }
    for (request, way) in next { request.tell(way) }
  }

  /// After a round that failed nobody knows whose writing it was: everybody's is made anew.
  private func finish(_ items: [SyncItem], _ code: Int32) throws(FileFailure) {
    for item in items { try FaultPlan.pass("fsync", item.path) }
    guard code == 0 else { throw FileFailure("fsync", items.first?.path ?? "", code) }
  }

  /// Makes everything durable, for one who finds what others have left.
  ///
  /// - Returns: Whether it is; otherwise each item has to be asked for.
  func all() -> Bool {
    guard let whole, !state.withLock({ $0.isResting(ContinuousClock.now) }) else { return false }
    // What others have failed to write before this process came is told once, and nothing to it.
    if whole() == 0 || whole() == 0 { return true }
    state.withLock { $0.isOver = true }
    return false
  }
}
