internal import DecantMigration
internal import DecantWorker
internal import Foundation

/// Asks a worker which classes it brings along.
enum WorkerQuestion {
  /// - Parameter worker: The path that a family names; `nil` for none.
  static func classes(of worker: String?) -> RegisteredClasses {
    guard let worker else { return .noWorker }
    if let problem = WorkerFile.problem(with: worker) { return .unusable(problem) }
    return greeting(of: worker)
  }

  /// The classes of the worker that a migration would run in.
  ///
  /// - Parameters:
  ///   - given: The worker of `--worker`, which may be anybody's file, as “decant migrate” takes it.
  ///   - family: The worker that the family names.
  static func classes(given: String?, family: String?) -> RegisteredClasses {
    if let given { return greeting(of: path(given)) }
    return classes(of: family)
  }

  static func path(_ worker: String) -> String { URL(fileURLWithPath: worker).path }

  private static func greeting(of worker: String) -> RegisteredClasses {
    do throws(MigrationFailure) {
      let greeting = try WorkerRun(executable: worker, hangSeconds: 0).greeting()
      return .names(
        policies: greeting.policies ?? [], functions: greeting.functions ?? [], worker: worker)
    } catch {
      return .unusable(error.message)
    }
  }
}
