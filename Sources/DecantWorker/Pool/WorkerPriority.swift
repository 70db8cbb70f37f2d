internal import CLinux
internal import Foundation

/// The shares of processor and disk that workers get.
package struct WorkerPriority: Sendable, Hashable {
  package enum IO: String, Sendable, CaseIterable {
    case normal
    /// The lowest level of the usual class.
    case low
    /// Only disk time that no other process needs.
    case idle
  }

  package var nice: Int
  package var io: IO

  package init(nice: Int = 0, io: IO = .normal) {
    self.nice = nice
    self.io = io
  }

  /// Whether this priority isn't higher than another one.
  ///
  /// Only root may raise the priority of a running process.
  func isAtMost(_ other: WorkerPriority) -> Bool {
    let order = IO.allCases
    return nice >= other.nice && (order.firstIndex(of: io) ?? 0) >= (order.firstIndex(of: other.io) ?? 0)
  }

  /// Sets this priority for all threads of a process; a normal share is not set.
  ///
  /// - Returns: Why the priority can't be set; `nil` if all is well.
  func apply(to process: Int32) -> String? {
    var failure: String?
    // Linux has both values for each thread, and a new thread gets those of the thread that starts it. The second turn
    // of this loop finds threads that were started during the first turn.
    for _ in 0..<2 {
      for thread in Self.threads(of: process) {
        if nice > 0, decant_set_nice(thread, Int32(nice)) != 0, errno != ESRCH {
          failure = Self.sentence(about: "nice value")
        }
        let set: Int32
        switch io {
        case .normal: set = 0
        case .low: set = decant_set_io_priority(thread, 2, 7)
        case .idle: set = decant_set_io_priority(thread, 3, 0)
        }
        if set != 0, errno != ESRCH {
          failure = Self.sentence(about: "ioPriority")
        }
      }
    }
    return failure
  }

  /// The sentence about a value that can't be set; uses `errno`.
  private static func sentence(about value: String) -> String {
    // Decant's systemd unit forbids both calls.
    let hint =
      errno == EPERM || errno == EACCES
      ? " Under systemd, “systemctl set-property decantd CPUWeight=20 IOWeight=20” gives the whole service a smaller "
        + "share."
      : ""
    return "The workers' \(value) can't be set: \(String(cString: strerror(errno))).\(hint)"
  }

  private static func threads(of process: Int32) -> [Int32] {
    // A process that has ended has no such folder.
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    return names?.compactMap { Int32($0) } ?? [process]
  }
}
