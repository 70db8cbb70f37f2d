internal import CLinux
internal import Glibc

/// The limits that a worker sets for itself, so that a bad store can harm only one process.
enum ProcessLimits {
  /// Disables core files, and limits the memory and the size of files.
  ///
  /// The worker is killed when the thread that started it ends.
  static func apply(_ options: WorkerOptions) {
    set(RLIMIT_CORE, 0)
    if let memory = options.memory, memory > 0 { set(RLIMIT_DATA, rlim_t(memory)) }
    if let bytes = options.fileBytes, bytes > 0 { set(RLIMIT_FSIZE, rlim_t(bytes)) }
    _ = decant_die_with_parent()
  }

  /// Limits the processor time of the next job; SIGXCPU ends a worker that uses more.
  ///
  /// The kernel counts the time since the process began, so each job raises the limit. The hard limit stays as it is,
  /// because it can't be raised again.
  static func beginJob(_ options: WorkerOptions) {
    guard let seconds = options.cpuSeconds, seconds > 0 else { return }
    var usage = rusage()
    var limit = rlimit()
    guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0, getrlimit(Int32(RLIMIT_CPU.rawValue), &limit) == 0
    else { return }
    // The kernel counts whole seconds, so the current second is added.
    let used = rlim_t(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1)
    limit.rlim_cur = min(used + rlim_t(seconds), limit.rlim_max)
    _ = setrlimit(Int32(RLIMIT_CPU.rawValue), &limit)
  }

  private static func set(_ resource: __rlimit_resource, _ value: rlim_t) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    _ = setrlimit(Int32(resource.rawValue), &limit)
  }
}
