internal import CSQLite
internal import Dispatch

/// The moment after which a connection's statements are ended, so that no file can keep a reader forever.
///
/// `@unchecked Sendable`: SQLite asks for it on the thread that runs the statement, which holds the connection's lock;
/// it is set between statements.
final class StatementDeadline: @unchecked Sendable {
  /// Virtual machine steps between two looks at the clock: well below a millisecond.
  private static let stride: Int32 = 20_000

  private var end: UInt64 = .max

  /// Lets a connection ask for it while it lives; the connection keeps it alive.
  func install(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, Self.stride,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<StatementDeadline>.fromOpaque(pointer).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var isOver: Bool { end != .max && DispatchTime.now().uptimeNanoseconds > end }

  /// Runs work whose statements must end within that time.
  func within<Result, Failure: Error>(
    seconds: Double, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = end
    let now = DispatchTime.now().uptimeNanoseconds
    end = min(before, now &+ UInt64(max(0, min(seconds, 1e9)) * 1e9))
    defer { end = before }
    return try work()
  }
}
