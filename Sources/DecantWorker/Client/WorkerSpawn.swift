internal import Foundation
internal import Glibc

/// Starts a worker process: its own process group, no blocked signal, a small environment.
enum WorkerSpawn {
  /// The environment variables that a worker inherits.
  private static let inherited: Set<String> = [
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LD_PRELOAD",
  ]

  /// The note's descriptor in the worker.
  private static let noteNumber: Int32 = 3

  static func spawn(_ executable: String, arguments: [String], pipes: WorkerPipes, note: WorkNote?)
    throws(WorkerStartFailure) -> Int32
  {
    // Writing a job to a worker that has ended must not end this process.
    signal(SIGPIPE, SIG_IGN)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes.input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.errors.write, 2)
    if let note { posix_spawn_file_actions_adddup2(&actions, note.descriptor, noteNumber) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // In a process group of its own, a worker doesn't get Ctrl-C from the daemon's terminal.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var environment = ProcessInfo.processInfo.environment.filter { inherited.contains($0.key) }
    // The daemon reports crashes. There is no terminal for an interactive backtrace.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let noteArguments = note == nil ? [] : WorkerOptions(note: noteNumber).arguments
    let argumentWords = ([executable] + arguments + noteArguments).map { strdup($0) } + [nil]
    let environmentWords = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      for word in argumentWords + environmentWords { free(word) }
    }
    var processID: pid_t = 0
    let code = posix_spawn(&processID, executable, &actions, &attributes, argumentWords, environmentWords)
    guard code == 0 else { throw WorkerStartFailure(executable: executable, code: code) }
    return processID
  }
}
