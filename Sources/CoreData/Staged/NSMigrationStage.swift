public import Foundation

/// One stage of a staged migration: `NSLightweightMigrationStage` or `NSCustomMigrationStage`.
open class NSMigrationStage: NSObject {
  /// A name for messages.
  public final var label: String?

  /// The checksums of the stage's versions, in the order in which a store reaches them.
  var checksums: [String] { [] }
}

/// Versions between which lightweight migration is enough.
public final class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public let versionChecksums: [String]

  public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }

  override var checksums: [String] { versionChecksums }
}

/// One step between two models, with code before and after it.
public final class NSCustomMigrationStage: NSMigrationStage {
  public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

  public let currentModel: NSManagedObjectModelReference
  public let nextModel: NSManagedObjectModelReference
  /// Called before the step.
  ///
  /// The type is the same as in Apple's class: `((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?`.
  public var willMigrateHandler: Handler?
  /// Called after the step.
  public var didMigrateHandler: Handler?

  public init(
    migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }

  override var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }

  var hasHandler: Bool { willMigrateHandler != nil || didMigrateHandler != nil }
}
