internal import Glibc

/// The whole of a worker executable.
///
/// The shipped worker is `decantd --worker`. A team's own, which brings its policies along, is an executable of a
/// few lines: `@main enum Notas { static func main() { WorkerMain.run() } }`.
public enum WorkerMain {
  /// Serves jobs from standard input until it closes; then ends the process.
  ///
  /// Has to be called first thing, from the first thread. SIGTERM stops between chunks; SIGINT is ignored, because
  /// whoever started the worker decides. What policies print goes to standard error.
  public static func run(arguments: [String] = CommandLine.arguments) -> Never {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    let stop = StopSignal(listeningFor: [SIGTERM])
    let options = WorkerOptions(arguments: arguments)
    ProcessLimits.apply(options)
    // The protocol keeps a descriptor of its own: a stray print would break it otherwise.
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(2, 1) >= 0 else { exit(71) }
    exit(WorkerLoop(input: 0, output: output, options: options, stop: stop).serve())
  }
}
