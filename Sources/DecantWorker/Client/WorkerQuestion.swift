package import DecantMigration
internal import DecantReport
internal import Foundation

/// Asks a worker for its classes.
package enum WorkerQuestion {
  /// - Parameter worker: The worker's path in `family.json5`; `nil` for no worker.
  package static func classes(of worker: String?) -> RegisteredClasses {
    guard let worker else { return .noWorker }
    if let problem = WorkerFile.problem(with: worker) { return .unusable(problem) }
    return greeting(of: worker)
  }

  /// The classes of the worker that a migration would run in.
  ///
  /// - Parameters:
  ///   - given: The worker of `--worker`. It may be any user's file, as in “decant migrate”.
  ///   - family: The worker that the family names.
  package static func classes(given: String?, family: String?) -> RegisteredClasses {
    if let given { return greeting(of: path(given)) }
    return classes(of: family)
  }

  package static func path(_ worker: String) -> String { URL(fileURLWithPath: worker).path }

  /// The classes of a worker that its caller trusts.
  package static func greeting(of worker: String) -> RegisteredClasses {
    do throws(MigrationFailure) {
      let greeting = try WorkerRun(executable: worker, hangSeconds: 0).greeting()
      return .names(
        policies: greeting.policies ?? [], functions: greeting.functions ?? [], worker: worker)
    } catch {
      return .unusable(error.message)
    }
  }
}
