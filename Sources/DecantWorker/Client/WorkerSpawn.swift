internal import DecantMigration
internal import DecantPolicyPrograms
internal import Foundation
internal import Glibc

/// Starts a worker process: its own process group, no blocked signal, a small environment.
enum WorkerSpawn {
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
    var environment = ProcessInfo.processInfo.environment.filter { inherited.contains($0.key) }
    // The supervisor reports crashes. There is no terminal for an interactive backtrace.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    // The note's descriptor comes after the three standard ones.
    let noteArguments = note == nil ? [] : WorkerOptions(note: noteNumber).arguments
    let descriptors =
      [pipes.input.read, pipes.output.write, pipes.errors.write] + (note.map { [$0.descriptor] } ?? [])
    do throws(ChildProcess.Failure) {
      // A separate process group keeps the terminal's Ctrl-C away from the worker.
      return try ChildProcess.spawn(
        [executable] + arguments + noteArguments, path: executable, descriptors: descriptors,
        environment: environment, group: 0)
    } catch {
      throw WorkerStartFailure(executable: executable, code: error.code)
    }
  }
}
