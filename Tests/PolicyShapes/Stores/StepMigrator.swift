// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// The versions of an app's model, in order.
enum NotasVersion: String, CaseIterable {
  case first = "Notas"
  case second = "Notas 2"

  static var current: NotasVersion { allCases.last! }

  var next: NotasVersion? {
    switch self {
    case .first: return .second
    case .second: return nil
    }
  }

  func model(in bundle: Bundle) -> NSManagedObjectModel {
    let url = bundle.url(forResource: rawValue, withExtension: "mom", subdirectory: "Notas.momd")
    guard let url, let model = NSManagedObjectModel(contentsOf: url) else {
      fatalError("unable to load model \(rawValue)")
    }
    return model
  }

  static func compatible(with metadata: [String: Any], in bundle: Bundle) -> NotasVersion? {
    allCases.first {
      $0.model(in: bundle).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}

/// Migrates a store version by version into temporary files, then replaces the original.
///
/// It stands for: `isConfiguration`, the pragma `journal_mode` for a checkpoint, `replacePersistentStore`,
/// `destroyPersistentStore`.
struct StepMigrator {
  let bundle: Bundle

  func requiresMigration(at storeURL: URL, toVersion version: NotasVersion) -> Bool {
    guard
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    else { return false }
    return NotasVersion.compatible(with: metadata, in: bundle) != version
  }

  func migrateStore(at storeURL: URL, toVersion version: NotasVersion) {
    forceWALCheckpointing(at: storeURL)
    var currentURL = storeURL
    for step in steps(at: storeURL, to: version) {
      let manager = NSMigrationManager(sourceModel: step.source, destinationModel: step.destination)
      let temporary = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
        .appendingPathComponent(UUID().uuidString)
      do {
        try manager.migrateStore(
          from: currentURL, sourceType: NSSQLiteStoreType, options: nil, with: step.mapping,
          toDestinationURL: temporary, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      } catch {
        fatalError("failed attempting to migrate, error: \(error)")
      }
      if currentURL != storeURL { NSPersistentStoreCoordinator.destroyStore(at: currentURL) }
      currentURL = temporary
    }
    NSPersistentStoreCoordinator.replaceStore(at: storeURL, withStoreAt: currentURL)
    if currentURL != storeURL { NSPersistentStoreCoordinator.destroyStore(at: currentURL) }
  }

  private struct Step {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
  }

  private func steps(at storeURL: URL, to version: NotasVersion) -> [Step] {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      let source = NotasVersion.compatible(with: metadata, in: bundle)
    else { fatalError("unknown store version at \(storeURL)") }
    var steps: [Step] = []
    var current = source
    while current != version, let next = current.next {
      let (from, to) = (current.model(in: bundle), next.model(in: bundle))
      let mapping =
        NSMappingModel(from: [bundle], forSourceModel: from, destinationModel: to)
        ?? (try? NSMappingModel.inferredMappingModel(forSourceModel: from, destinationModel: to))
      steps.append(Step(source: from, destination: to, mapping: mapping!))
      current = next
    }
    return steps
  }

  /// The `-wal` has to be in the store file before that is moved.
  func forceWALCheckpointing(at storeURL: URL) {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      let model = NotasVersion.compatible(with: metadata, in: bundle)?.model(in: bundle)
    else { return }
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
      try coordinator.remove(store)
    } catch let error {
      fatalError("failed to force WAL checkpointing, error: \(error)")
    }
  }
}

extension NSPersistentStoreCoordinator {
  static func destroyStore(at storeURL: URL) {
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      try coordinator.destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: nil)
    } catch let error {
      fatalError("failed to destroy persistent store at \(storeURL), error: \(error)")
    }
  }

  static func replaceStore(at targetURL: URL, withStoreAt sourceURL: URL) {
    guard targetURL != sourceURL else { return }
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      try coordinator.replacePersistentStore(
        at: targetURL, destinationOptions: nil, withPersistentStoreFrom: sourceURL, sourceOptions: nil,
        ofType: NSSQLiteStoreType)
    } catch let error {
      fatalError("failed to replace persistent store at \(targetURL) with \(sourceURL), error: \(error)")
    }
  }

  static func metadata(at storeURL: URL) -> [String: Any]? {
    try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL, options: nil)
  }
}
