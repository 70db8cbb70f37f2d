internal import Dispatch
internal import FileAccess
internal import Synchronization

/// Makes the files of several jobs durable together, with one call for the whole file system.
///
/// Such a call is a round; it serves all callers that wait for it. A caller that is alone is served item by item.
/// Callers that arrive meanwhile wait for a moment, and a round serves those that still wait. The round begins after
/// their arrival, so it includes all that they have written.
///
/// A round takes long if other processes write much to the file system. So no round begins for some time after a slow
/// one.
///
/// The kernel reports a failed write only to the first round after the write, even if that round serves other jobs.
/// After a failed round there are no more rounds. `fsync` of a file still reports that file's own errors.
package final class SyncRounds: Sendable {
  private enum Way: Sendable {
    /// Item by item.
    case single
    /// Item by item, because rounds pause or are over.
    case apart
    /// By a round that the caller runs, also for the waiting callers.
    case lead
    /// By another caller's round; the errno of that round, or 0.
    case served(Int32)
  }

  /// A caller that waits until its `Way` is known.
  private final class Request: Sendable {
    private let way = Mutex<Way?>(nil)
    private let bell = DispatchSemaphore(value: 0)
    /// Whether the caller has very many files, so that one call for each file would take far longer than a round.
    let isLarge: Bool

    init(isLarge: Bool) { self.isLarge = isLarge }

    func tell(_ way: Way) {
      self.way.withLock { $0 = way }
      bell.signal()
    }

    func wait(until end: DispatchTime) -> Way? {
      _ = bell.wait(timeout: end)
      return way.withLock { $0 }
    }
  }

  private struct State {
    /// The number of callers whose way is `single`, and that have not finished.
    var single = 0
    var isRoundUnderWay = false
    var waiting: [Request] = []
    /// After a slow round, no round begins before this moment, except for a caller with very many files.
    var restUntil: ContinuousClock.Instant?
    /// The length of the next pause after a slow round.
    var rest = SyncRounds.firstRest
    var isOver = false

    func isResting(_ now: ContinuousClock.Instant) -> Bool { isOver || restUntil.map { now < $0 } ?? false }

    /// The way of a new caller; `nil` if it has to wait.
    mutating func enter(_ request: Request, _ now: ContinuousClock.Instant) -> Way? {
      if request.isLarge ? isOver : isResting(now) { return .apart }
      if single == 0, !isRoundUnderWay, !request.isLarge {
        single += 1
        return .single
      }
      if !isRoundUnderWay, request.isLarge || waiting.count + 1 >= enough {
        isRoundUnderWay = true
        return .lead
      }
      waiting.append(request)
      return nil
    }

    /// The requests that continue when a caller has finished, with their ways.
    mutating func next(_ now: ContinuousClock.Instant) -> [(Request, Way)] {
      guard !isRoundUnderWay else { return [] }
      var told: [(Request, Way)] = []
      if isResting(now) {
        let apart = waiting.filter { isOver || !$0.isLarge }
        told = apart.map { ($0, .apart) }
        waiting.removeAll { request in apart.contains { $0 === request } }
      }
      guard let first = waiting.first else { return told }
      let needsRound = waiting.contains { $0.isLarge }
      if waiting.count == 1, single > 0, !needsRound { return told }
      waiting.removeFirst()
      if waiting.isEmpty, !needsRound {
        single += 1
        return told + [(first, .single)]
      }
      isRoundUnderWay = true
      return told + [(first, .lead)]
    }
  }

  /// If this many callers wait, a round begins even while other callers are served item by item.
  static let enough = 4
  /// More files and folders than this are very many.
  static let most = 256
  private static let firstRest = Duration.seconds(30)
  private static let longestRest = Duration.seconds(3600)

  /// Whether the caller may join a round.
  ///
  /// The daemon's loop may not, because other writers could delay it.
  @TaskLocal static var isShared = false

  /// The longest time that a caller waits for others.
  private let patience: DispatchTimeInterval
  /// A round that takes longer is slow.
  ///
  /// Callers would wait for a shorter time if they were served item by item.
  private let tooLong: Duration

  private let state = Mutex(State())
  /// Waits until everything written to the file system is durable; returns the errno, or 0.
  ///
  /// `nil` if the file system has no reliable call for this.
  private let whole: (@Sendable () -> Int32)?
  /// Makes only the items durable.
  private let each: @Sendable ([SyncItem]) throws(FileFailure) -> Void

  /// Creates the rounds for the file system of a folder.
  package convenience init(of folder: FolderHandle) {
    guard let system = FileSystemSync(of: folder.descriptor) else {
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

  func settle(_ items: [SyncItem]) throws(FileFailure) {
    guard let whole, Self.isShared, !items.isEmpty else { return try each(items) }
    let request = Request(isLarge: SyncItem.count(items, atMost: Self.most + 1) > Self.most)
    let way =
      state.withLock { $0.enter(request, ContinuousClock.now) }
      ?? request.wait(until: request.isLarge ? .distantFuture : DispatchTime.now() + patience)
      ?? giveUp(request)
    switch way {
    case .apart: try each(items)
    case .single:
      defer { leave { $0.single -= 1 } }
      try each(items)
    case .lead: try finish(items, lead(whole, isLarge: request.isLarge))
    case .served(let code): try finish(items, code)
    }
  }

  /// Ends the wait: the caller goes alone, unless a round has just taken its request.
  private func giveUp(_ request: Request) -> Way {
    let isOwn = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === request }) else { return false }
      state.waiting.remove(at: index)
      state.single += 1
      return true
    }
    return isOwn ? .single : request.wait(until: .distantFuture) ?? .apart
  }

  /// Runs a round for the caller and all waiting requests; returns the round's errno, or 0.
  private func lead(_ whole: @Sendable () -> Int32, isLarge: Bool) -> Int32 {
    let served = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    // A round with very many files takes long even if no other process writes, so it doesn't count as slow.
    let mayRest = !isLarge && !served.contains { $0.isLarge }
    let start = ContinuousClock.now
    let code = whole()
    let end = ContinuousClock.now
    leave { state in
      state.isRoundUnderWay = false
      if code != 0 { state.isOver = true }
      if mayRest, end - start > tooLong {
        state.restUntil = end + state.rest
        state.rest = min(state.rest * 2, Self.longestRest)
      }
    }
    // Do this last: a caller that sees the failure must also see that rounds are over.
    for request in served { request.tell(.served(code)) }
    return code
  }

  /// Records that a caller has finished, and lets waiting callers continue.
  private func leave(_ change: (inout State) -> Void) {
    let next = state.withLock { state in
      change(&state)
      return state.next(ContinuousClock.now)
    }
    for (request, way) in next { request.tell(way) }
  }

  /// Throws if the round failed.
  ///
  /// The failed write may belong to any caller, so the round has failed for all callers.
  private func finish(_ items: [SyncItem], _ code: Int32) throws(FileFailure) {
    for item in items { try FaultPlan.pass("fsync", item.path) }
    guard code == 0 else { throw FileFailure("fsync", items.first?.path ?? "", code) }
  }

  /// Makes everything durable, including what earlier processes have written.
  ///
  /// - Returns: Whether everything is durable; if not, the caller has to sync each item.
  package func all() -> Bool {
    guard let whole, !state.withLock({ $0.isResting(ContinuousClock.now) }) else { return false }
    // The first call may report a failure from before this process. The second call doesn't repeat it.
    if whole() == 0 || whole() == 0 { return true }
    state.withLock { $0.isOver = true }
    return false
  }
}
