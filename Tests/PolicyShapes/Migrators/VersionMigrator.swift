// swift-format-ignore-file: NeverForceUnwrap
// Apps unwrap and cast like this, and their code has to compile.

import CoreData

/// The versions of the model, each with its successor.
///
/// It stands for: `Bundle.url(forResource:withExtension:subdirectory:)` of a version, an `allCases.first` by
/// metadata, and `NSMappingModel(contentsOf:)` for the step that needs one.
public enum AgendaVersion: String, CaseIterable {
  case version1 = "Agenda"
  case version2 = "Agenda 2"
  case version3 = "Agenda 3"
  case version4 = "Agenda 4"

  public static var latest: AgendaVersion { allCases.last! }

  var successor: AgendaVersion? {
    switch self {
    case .version1: return .version2
    case .version2: return .version3
    case .version3: return .version4
    case .version4: return nil
    }
  }

  func model(in bundle: Bundle) -> NSManagedObjectModel {
    let url = bundle.url(forResource: rawValue, withExtension: "mom", subdirectory: "Agenda.momd")
    guard let model = NSManagedObjectModel(contentsOf: url!) else {
      fatalError("\(rawValue) can't be read")  // Apps end like this if their build lacks a model.
    }
    return model
  }

  static func of(_ metadata: [String: Any], in bundle: Bundle) -> AgendaVersion? {
    allCases.first {
      $0.model(in: bundle).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}

public struct VersionStep {
  public let source: AgendaVersion
  public let destination: AgendaVersion
  let mappingModel: NSMappingModel

  init?(from source: AgendaVersion, in bundle: Bundle) {
    guard let destination = source.successor else { return nil }
    self.source = source
    self.destination = destination
    switch source {
    case .version2:
      let url = bundle.url(forResource: "Agenda2to3.mapping", withExtension: "json5")
      guard let mappingModel = NSMappingModel(contentsOf: url) else { return nil }
      self.mappingModel = mappingModel
    default:
      guard
        let inferred = try? NSMappingModel.inferredMappingModel(
          forSourceModel: source.model(in: bundle), destinationModel: destination.model(in: bundle))
      else { return nil }
      mappingModel = inferred
    }
  }
}

public final class VersionMigrator {
  private let bundle: Bundle

  public init(bundle: Bundle) { self.bundle = bundle }

  public func requiresMigration(at storeURL: URL, to version: AgendaVersion = .latest) -> Bool {
    guard
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: storeURL)
    else { return false }
    return AgendaVersion.of(metadata, in: bundle) != version
  }

  public func migrateStore(
    at storeURL: URL, to version: AgendaVersion = .latest, output: URL
  ) throws -> [VersionStep] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL)
    guard var current = AgendaVersion.of(metadata, in: bundle) else { return [] }
    var steps: [VersionStep] = []
    while current != version, let step = VersionStep(from: current, in: bundle) {
      steps.append(step)
      current = step.destination
    }
    var url = storeURL
    let folder = output.deletingLastPathComponent()
    for (index, step) in steps.enumerated() {
      let target = index == steps.count - 1 ? output : folder.appendingPathComponent("step\(index).sqlite")
      let manager = NSMigrationManager(
        sourceModel: step.source.model(in: bundle), destinationModel: step.destination.model(in: bundle))
      try autoreleasepool {
        try manager.migrateStore(
          from: url, sourceType: NSSQLiteStoreType, options: nil, with: step.mappingModel,
          toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      }
      if url != storeURL { try? FileManager.default.removeItem(at: url) }
      url = target
    }
    return steps
  }
}
