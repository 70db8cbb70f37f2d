internal import CSQLite
internal import Dispatch
internal import Glibc

/// Watches a connection's statements: ends those that work or last too long, and gives a sign of life meanwhile.
///
/// `@unchecked Sendable`: SQLite asks for it on the thread that runs the statement, which holds the connection's lock;
/// it is set between statements.
package final class StatementDeadline: @unchecked Sendable {
  /// Virtual machine steps between two looks at the clock: well below a millisecond.
  private static let stride: Int32 = 20_000
  /// Nanoseconds between two signs of life.
  private static let beat: UInt64 = 1_000_000_000

  /// When the thread has worked too much, and when too much time has passed; a slow disk costs time but no work.
  private var workEnd: UInt64 = .max
  private var timeEnd: UInt64 = .max
  /// Asked about once a second while a statement runs; false ends it.
  package var observer: (@Sendable () -> Bool)? {
    didSet { nextBeat = Self.now &+ Self.beat }
  }
  private var nextBeat: UInt64 = 0
  /// Why the last statement was ended; `nil` where it was not.
  private(set) var cause: SQLiteError.Interruption?

  /// Lets a connection ask for it while it lives; the connection keeps it alive.
  func install(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.stride,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementDeadline>.fromOpaque(pointer).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Nanoseconds that this thread has kept a processor busy.
  private static var work: UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return now }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  private func isOver() -> Bool {
    cause = nil
    if timeEnd != .max, Self.now > timeEnd { cause = .time }
    if workEnd != .max, Self.work > workEnd { cause = .work }
    if cause == nil, let observer {
      let now = Self.now
      if now >= nextBeat {
        nextBeat = now &+ Self.beat
        if !observer() { cause = .request }
      }
    }
    return cause != nil
  }

  /// Runs work whose statements must end within so many seconds of a processor's work and of time.
  func within<Result, Failure: Error>(
    seconds: Double, patience: Double, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = (workEnd, timeEnd)
    workEnd = min(workEnd, Self.work &+ Self.nanoseconds(seconds))
    timeEnd = min(timeEnd, Self.now &+ Self.nanoseconds(patience))
    defer { (workEnd, timeEnd) = before }
    return try work()
  }

  private static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(max(0, min(seconds, 1e9)) * 1e9) }
}
