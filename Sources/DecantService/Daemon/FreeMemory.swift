internal import CLinux

/// The memory that the daemon has freed and the system doesn't have back yet.
///
/// Without this, the daemon would stay as large as it was during its largest burst of work.
enum FreeMemory {
  /// Keeps the threads' memory together; call it before there is a second thread.
  static func keepTogether() { decant_limit_memory_pools(2) }

  /// Gives it back to the system; takes some milliseconds.
  static func giveBack() { decant_give_memory_back() }
}
