import CoreData

/// Makes a staged migration manager for all versions of an app's model.
///
/// It stands for: `NSLightweightMigrationStage`, `NSCustomMigrationStage` with references to models and handlers,
/// `NSStagedMigrationManager`, `versionChecksum`, and labels.
public final class StagedMigrator {
  public private(set) var events: [String] = []
  private let bundle: Bundle

  public init(bundle: Bundle) { self.bundle = bundle }

  func model(_ name: String) -> NSManagedObjectModel? {
    bundle.url(forResource: name, withExtension: "mom", subdirectory: "Agenda.momd").flatMap {
      NSManagedObjectModel(contentsOf: $0)
    }
  }

  public func manager(withHandlers: Bool) -> NSStagedMigrationManager {
    let checksums = ["Agenda", "Agenda 2", "Agenda 3", "Agenda 4"].map { model($0)?.versionChecksum ?? "" }
    let toVersion2 = NSLightweightMigrationStage([checksums[0], checksums[1]])
    toVersion2.label = "Notes"
    let version2 = NSManagedObjectModelReference(name: "Agenda 2", in: bundle, versionChecksum: checksums[1])
    let version3 = NSManagedObjectModelReference(
      fileURL: bundle.bundleURL.appendingPathComponent("Agenda.momd/Agenda 3.mom"),
      versionChecksum: checksums[2])
    let toVersion3 = NSCustomMigrationStage(migratingFrom: version2, to: version3)
    toVersion3.label = "Telephones"
    if withHandlers {
      toVersion3.willMigrateHandler = { [weak self] manager, stage in
        self?.events.append("will \(stage.label ?? "") of \(manager.stages.count)")
      }
      toVersion3.didMigrateHandler = { [weak self] _, stage in self?.events.append("did \(stage.label ?? "")") }
    }
    let toVersion4 = NSLightweightMigrationStage([checksums[2], checksums[3]])
    toVersion4.label = "Favourites"
    return NSStagedMigrationManager([toVersion2, toVersion3, toVersion4])
  }
}
