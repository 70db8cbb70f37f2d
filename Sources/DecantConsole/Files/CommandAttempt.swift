internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import Foundation

/// Runs a command, and reports a disk failure that may be the cause of the command's problem.
///
/// If `inspect` or `verify` fails because of the disk or a store's content, the command runs again with data from the
/// disk, not from the system's cache. `SecondAttempt` does the same for plans and migrations.
package struct CommandAttempt {
  private let arguments: [String]
  /// The commands that may run again, because they only read, and print at the end.
  private static let looks: Set<String> = ["inspect", "verify"]

  package init(_ arguments: [String]) { self.arguments = arguments }

  package func run(_ command: () throws(CommandFailure) -> Int32) throws(CommandFailure) -> Int32 {
    var watch = DiskWatch(at: places)
    var result = Self.result(command)
    if case .failure(let error) = result, isWorthSecondAttempt(orDiskFailure(error, by: watch)) {
      for argument in arguments.dropFirst() { PageCache.forget(store: argument) }
      watch = DiskWatch(at: places)
      result = Self.result(command)
    }
    switch result {
    case .failure(let error): throw orDiskFailure(error, by: watch)
    case .success(ExitCode.success): return ExitCode.success
    case .success(let code):
      // The command has printed a problem, and a disk failure may be its cause.
      guard let disk = watch.failure else { return code }
      throw CommandFailure(disk)
    }
  }

  private static func result(
    _ command: () throws(CommandFailure) -> Int32
  ) -> Result<Int32, CommandFailure> {
    do throws(CommandFailure) {
      return .success(try command())
    } catch {
      return .failure(error)
    }
  }

  private func isWorthSecondAttempt(_ failure: CommandFailure) -> Bool {
    Self.looks.contains(arguments.first ?? "")
      && (failure.reason == .disk || failure.reason.evidence != nil)
  }

  /// The failure, or the disk failure that happened while the command ran.
  private func orDiskFailure(_ failure: CommandFailure, by watch: DiskWatch) -> CommandFailure {
    // Wrong use and a requested stop have other causes than the disk.
    guard ![ExitCode.usage, ExitCode.tryAgain].contains(failure.exitCode),
      let disk = watch.failure
    else { return failure }
    return CommandFailure(disk)
  }

  /// The files and folders that the command uses, as the user named them and without links above them.
  private var places: [String] {
    arguments.dropFirst().filter { !$0.hasPrefix("-") && !$0.isEmpty }.flatMap { argument in
      let url = URL(fileURLWithPath: argument)
      return [
        argument, url.path,
        url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent,
      ]
    }
  }
}
