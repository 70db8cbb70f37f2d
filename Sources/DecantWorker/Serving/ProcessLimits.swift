internal import CLinux
internal import Glibc

/// The limits that a worker sets for itself, so that a bad store can harm only one process.
enum ProcessLimits {
  /// Disables core files, limits the memory, and ends the worker with the daemon.
  static func apply(_ options: WorkerOptions) {
    set(RLIMIT_CORE, 0)
    if let memory = options.memory, memory > 0 { set(RLIMIT_DATA, rlim_t(memory)) }
    _ = decant_die_with_parent()
  }

  private static func set(_ resource: __rlimit_resource, _ value: rlim_t) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    _ = setrlimit(Int32(resource.rawValue), &limit)
  }
}
