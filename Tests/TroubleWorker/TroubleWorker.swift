import CoreData
import DecantWorker
import Foundation

/// A worker with policies that hang, crash, print, throw or exit.
@main
struct TroubleWorker {
  static func main() {
    if ProcessInfo.processInfo.arguments[0].contains("mute") { exit(3) }
    Worker.run(policies: [
      HangingPolicy.self, CrashingPolicy.self, PrintingPolicy.self, ThrowingPolicy.self, ForeignPolicy.self,
      LeavingPolicy.self, WaitingPolicy.self,
    ])
  }
}

class HangingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    while true { sleep(1) }
  }
}

/// Writes “waiting”, and never returns.
class WaitingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    FileHandle.standardError.write(Data("waiting\n".utf8))
    while true { sleep(1) }
  }
}

class CrashingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    fatalError("the policy has met what it never expected")  // A test looks for this message in the report.
  }
}

class PrintingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    print("{\"job\": \"another\"} and other garbage")
    FileHandle.standardOutput.write(Data([0xFF, 0x00, 0x0A]))
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}

class ThrowingPolicy: NSEntityMigrationPolicy {
  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw CoreDataError(NSMigrationError, "the app's own rule is broken")
  }
}

class ForeignPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    manager.associate(sourceInstance: sInstance, withDestinationInstance: sInstance, for: mapping)
  }
}

class LeavingPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { exit(7) }
}
