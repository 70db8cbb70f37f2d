internal import CLinux
internal import DecantMigration
public import DecantPolicies
internal import Foundation
internal import Glibc

/// The main program of a worker executable.
///
/// The shipped worker is `decantd --worker`. A team's own worker, which contains its classes, is an executable of a few
/// lines:
///
///     @main struct NotasWorker {
///       static func main() { Worker.run(policies: [NotaPolicy.self], objects: [Nota.self]) }
///     }
///
/// `family.json5` names such a worker (`worker: "/usr/lib/decant/workers/notas"`). `decant migrate --worker` accepts
/// its path, too.
public enum Worker {
  /// Serves jobs with these classes, then ends the process.
  ///
  /// The classes are known by their names with and without module.
  ///
  /// - Parameters:
  ///   - policies: The policy classes that mapping models name.
  ///   - objects: The managed object classes that models name.
  ///   - functions: The classes whose methods mapping models call.
  public static func run(
    policies: [EntityMigrationPolicy.Type] = [], objects: [ManagedObject.Type] = [],
    functions: [any MigrationFunctions.Type] = [], arguments: [String] = CommandLine.arguments
  ) -> Never {
    var registry = PolicyRegistry()
    for policy in policies { registry.add(policy) }
    for object in objects { registry.add(object) }
    for type in functions { registry.add(type) }
    run(registry, arguments: arguments)
  }

  /// Serves jobs from standard input until the input closes, a stop is requested or a limit is reached, then ends the
  /// process.
  ///
  /// Call this from the first thread, before anything else except the registration of transformers. SIGTERM stops the
  /// work between two chunks. SIGINT is ignored, because the parent process decides when to stop. Output of policies
  /// goes to standard error. With `--list` the worker only lists the registered classes, with `--json` as the greeting
  /// of the protocol. If standard input is a terminal, the worker only explains its use, and exits with 64.
  public static func run(_ registry: PolicyRegistry, arguments: [String] = CommandLine.arguments) -> Never {
    signal(SIGPIPE, SIG_IGN)
    // With this signal ignored, a write beyond the limit on file sizes fails with an error that is reported, and the
    // process goes on.
    signal(SIGXFSZ, SIG_IGN)
    if arguments.dropFirst().contains("--list") {
      list(registry, name: arguments.first ?? "worker", asJSON: arguments.contains("--json"))
    }
    if isatty(0) == 1 { refuse(arguments.first ?? "worker") }
    signal(SIGINT, SIG_IGN)
    let stop = StopSignal(listeningFor: [SIGTERM])
    let options = WorkerOptions(arguments: arguments)
    if let note = options.note { _ = fcntl(note, F_SETFD, FD_CLOEXEC) }
    ProcessLimits.apply(options)
    Migration.prepareProcess()
    // The protocol uses a separate descriptor, so that a print can't break it.
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(2, 1) >= 0 else { exit(71) }
    // Each line of “print” is written at once, so that it is there when the job ends or the worker dies.
    decant_write_lines_at_once()
    exit(WorkerLoop(input: 0, output: output, options: options, stop: stop, policies: registry).serve())
  }

  private static func list(_ registry: PolicyRegistry, name: String, asJSON: Bool) -> Never {
    let hello = WorkerEvent.Hello(registry)
    guard asJSON else {
      let text = WorkerListing.text(of: hello, name: URL(fileURLWithPath: name).lastPathComponent)
      exit(DescriptorIO.write(Data(text.utf8), to: 1) == 0 ? 0 : 74)
    }
    guard let line = try? JSONLine.encode(WorkerEvent(hello: hello)) else { exit(70) }
    exit(DescriptorIO.write(line, to: 1) == 0 ? 0 : 74)
  }

  /// Prints an explanation, because a user has started the worker directly.
  private static func refuse(_ name: String) -> Never {
    let text =
      "\(name) takes jobs from Decant: name it in family.json5 (worker: \"/path/to/it\"), or run "
      + "“decant migrate STORE --worker \(name) …”. With --list it shows its classes.\n"
    _ = DescriptorIO.write(Data(text.utf8), to: 2)
    exit(64)
  }
}
