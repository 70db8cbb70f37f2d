public import Foundation

/// The stages of an app's migrations, in their order.
///
/// `migrateStore(from:to:finalModel:…)` carries them out on a store's file.
public final class NSStagedMigrationManager: NSObject {
  public let stages: [NSMigrationStage]
  /// The container with the store of the current stage.
  ///
  /// It is set only while a handler of the stage runs. The store is read-only.
  public internal(set) var container: NSPersistentContainer?

  public init(_ stages: [NSMigrationStage]) { self.stages = stages }

  /// The stages that are left for a store, in their order.
  ///
  /// A version that ends one stage and begins the next stage belongs to the next stage.
  ///
  /// - Parameter checksum: The `versionChecksum` of the store's model.
  func stages(fromVersion checksum: String) -> ArraySlice<NSMigrationStage>? {
    if let first = stages.firstIndex(where: { $0.checksums.dropLast().contains(checksum) }) {
      return stages[first...]
    }
    guard let last = stages.lastIndex(where: { $0.checksums.last == checksum }) else { return nil }
    return stages[(last + 1)...]
  }
}
