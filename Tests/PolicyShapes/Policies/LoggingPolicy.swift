import CoreData
import os

private let log = OSLog(subsystem: "org.example.notas", category: "policy")

/// Logs as apps do with a `Logger` and with the older `os_log`, and counts under a lock.
///
/// It stands for: `import os`, `Logger`, `OSLog`, `os_log`, and `OSAllocatedUnfairLock`.
final class LoggingPolicy: NSEntityMigrationPolicy {
  private let logger = Logger(subsystem: "org.example.notas", category: "migration")
  private let titles = OSAllocatedUnfairLock(initialState: [String]())

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    os_log("Begin of %{public}@", log: log, type: .info, mapping.name)
    os_log("Begin")
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let title = sInstance.value(forKey: "texto") as? String ?? ""
    titles.withLock { $0.append(title) }
    logger.debug("Made a note of “\(title)” (\(title.count, format: .decimal(minDigits: 3)))")
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    let count = titles.withLock { $0.count }
    if count == 0 {
      logger.error("No notes in \(mapping.name, privacy: .public)")
    } else {
      logger.info("\(count) notes, the last is “\(self.titles.withLock { $0.last } ?? "", privacy: .private)”")
    }
    os_log(.debug, log: log, "End after %d notes", count)
  }
}
