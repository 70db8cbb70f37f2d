internal import CSQLite
internal import Dispatch
internal import Glibc

/// Interrupts statements that use too much processor time or clock time, and calls an observer while they run.
///
/// `@unchecked Sendable`: SQLite calls it on the thread that runs the statement and holds the connection's lock. It is
/// changed only between statements.
package final class StatementDeadline: @unchecked Sendable {
  /// Virtual machine steps between two checks of the clock: well below a millisecond.
  private static let stride: Int32 = 20_000
  /// Nanoseconds between two calls of the observer.
  private static let beat: UInt64 = 1_000_000_000

  /// The deadlines in processor time and in clock time; a slow disk only uses clock time.
  private var workEnd: UInt64 = .max
  private var timeEnd: UInt64 = .max
  /// Called about once a second while a statement runs; false ends the statement.
  package var observer: (@Sendable () -> Bool)? {
    didSet { nextBeat = Self.now &+ Self.beat }
  }
  private var nextBeat: UInt64 = 0
  /// The result of the last check while a statement ran: why the statement ends; `nil` if it goes on.
  private(set) var cause: SQLiteError.Interruption?

  /// Installs the deadline on a connection, which must keep it alive.
  func install(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.stride,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementDeadline>.fromOpaque(pointer).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The processor time that this thread has used, in nanoseconds.
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

  /// Runs work with a limit of this thread's processor time and a limit of clock time, both in seconds.
  ///
  /// Both limits are checked only while a statement runs.
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
