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

  func model(in bundle: Bundle) throws -> NSManagedObjectModel {
    let url = bundle.url(forResource: rawValue, withExtension: "mom", subdirectory: "Notas.momd")
    guard let url, let model = NSManagedObjectModel(contentsOf: url) else { throw StepError.noModel(rawValue) }
    return model
  }

  static func compatible(with metadata: [String: Any], in bundle: Bundle) throws -> NotasVersion? {
    try allCases.first {
      try $0.model(in: bundle).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}

enum StepError: Error {
  case noModel(String)
  case unknownVersion(URL)
}

/// Migrates a store version by version into temporary files, then replaces the original.
///
/// It stands for: `isConfiguration`, the pragma `journal_mode` for a checkpoint, `replacePersistentStore`,
/// `destroyPersistentStore`.
struct StepMigrator {
  let bundle: Bundle

  func requiresMigration(at storeURL: URL, toVersion version: NotasVersion) throws -> Bool {
    guard
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    else { return false }
    return try NotasVersion.compatible(with: metadata, in: bundle) != version
  }

  func migrateStore(at storeURL: URL, toVersion version: NotasVersion) throws {
    try forceWALCheckpointing(at: storeURL)
    var currentURL = storeURL
    for step in try steps(at: storeURL, to: version) {
      let manager = NSMigrationManager(sourceModel: step.source, destinationModel: step.destination)
      let temporary = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
        .appendingPathComponent(UUID().uuidString)
      try manager.migrateStore(
        from: currentURL, sourceType: NSSQLiteStoreType, options: nil, with: step.mapping,
        toDestinationURL: temporary, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      if currentURL != storeURL { try NSPersistentStoreCoordinator.destroyStore(at: currentURL) }
      currentURL = temporary
    }
    try NSPersistentStoreCoordinator.replaceStore(at: storeURL, withStoreAt: currentURL)
    if currentURL != storeURL { try NSPersistentStoreCoordinator.destroyStore(at: currentURL) }
  }

  private struct Step {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
  }

  private func steps(at storeURL: URL, to version: NotasVersion) throws -> [Step] {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      let source = try NotasVersion.compatible(with: metadata, in: bundle)
    else { throw StepError.unknownVersion(storeURL) }
    var steps: [Step] = []
    var current = source
    while current != version, let next = current.next {
      let (from, to) = (try current.model(in: bundle), try next.model(in: bundle))
      let mapping =
        NSMappingModel(from: [bundle], forSourceModel: from, destinationModel: to)
        ?? (try? NSMappingModel.inferredMappingModel(forSourceModel: from, destinationModel: to))
      steps.append(Step(source: from, destination: to, mapping: mapping!))
      current = next
    }
    return steps
  }

  /// Writes the `-wal` into the store's file, because the file is replaced without it.
  func forceWALCheckpointing(at storeURL: URL) throws {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      let model = try NotasVersion.compatible(with: metadata, in: bundle)?.model(in: bundle)
    else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
    try coordinator.remove(store)
  }
}

extension NSPersistentStoreCoordinator {
  static func destroyStore(at storeURL: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.destroyPersistentStore(at: storeURL, ofType: NSSQLiteStoreType, options: nil)
  }

  static func replaceStore(at targetURL: URL, withStoreAt sourceURL: URL) throws {
    guard targetURL != sourceURL else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: targetURL, destinationOptions: nil, withPersistentStoreFrom: sourceURL, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
  }

  static func metadata(at storeURL: URL) -> [String: Any]? {
    try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL, options: nil)
  }
}
