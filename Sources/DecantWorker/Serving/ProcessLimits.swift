internal import CLinux
internal import Glibc

/// The bounds that a worker sets on itself, so that what a store provokes stays within one process.
enum ProcessLimits {
  /// No core files, the memory bound, no memory of a life beyond the daemon's.
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
