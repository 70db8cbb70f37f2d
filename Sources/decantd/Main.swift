internal import DecantService
internal import Glibc

/// The spool daemon.
@main
enum Main {
  static func main() {
    exit(DaemonCommand.run(Array(CommandLine.arguments.dropFirst())))
  }
}
