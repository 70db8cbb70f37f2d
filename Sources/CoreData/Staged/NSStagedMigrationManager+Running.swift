public import DecantPolicies
public import Foundation

extension NSStagedMigrationManager {
  /// Carries out the stages on a store's file; the source isn't changed.
  ///
  /// Each step is a separate migration. It uses the mapping model that `mapping` gives for a custom stage, or an
  /// inferred one. The steps' stores are made in a folder beside the destination, and the last store is moved into
  /// place. No store is made if the source already has the final model.
  ///
  /// With Apple's API, handlers change the store through a container. Here the container's store is read-only. So a
  /// custom stage with a handler is refused, unless `mapping` gives a mapping model that replaces the handler, or
  /// `callsHandlers` is true. If a handler is called and tries to change an object, the migration fails.
  ///
  /// - Parameters:
  ///   - finalModel: The model of the result.
  ///   - models: The models of versions for which stages have only checksums. The store's own model must be among them,
  ///     unless it is a model of a custom stage, the final model, or a model in the main bundle.
  ///   - callsHandlers: Whether handlers are called although they can only read.
  ///   - mapping: Gives the mapping model that carries out a custom stage; nil for none.
  /// - Returns: Whether a store was made.
  /// - Throws: `CoreDataError`, or the error of a handler.
  @discardableResult
  public func migrateStore(
    from sourceURL: URL, sourceType: String = NSSQLiteStoreType, to destinationURL: URL,
    finalModel: ModelDescription, models: [ModelDescription] = [], callsHandlers: Bool = false,
    mapping: (NSCustomMigrationStage) throws -> MigrationMappingModel? = { _ in nil }
  ) throws -> Bool {
    try run(
      StagedCall(store: sourceURL, isInPlace: false), type: sourceType, to: destinationURL,
      finalModel: finalModel, models: models, registry: PolicyRegistry(), callsHandlers: callsHandlers,
      sourceModel: { metadata in
        if let model = ModelDescription.mergedModel(from: nil, forStoreMetadata: metadata) { return model }
        throw CoreDataError(
          NSMigrationMissingSourceModelError,
          "The model of \(sourceURL.path) isn't known: it is neither in a custom stage, nor among the given models, "
            + "nor in the main bundle.")
      }, mapping: mapping)
  }

  fileprivate func run(
    _ words: StagedCall, type sourceType: String, to destinationURL: URL, finalModel: ModelDescription,
    models: [ModelDescription], registry: PolicyRegistry, callsHandlers: Bool,
    sourceModel: ([String: Any]) throws -> ModelDescription,
    mapping: (NSCustomMigrationStage) throws -> MigrationMappingModel?
  ) throws -> Bool {
    let sourceURL = words.store
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: sourceType, at: sourceURL)
    let known = try knownModels(models + [finalModel])
    let source = try Self.model(of: metadata, among: known) ?? sourceModel(metadata)
    let path = try StagedPath(self, from: source, to: finalModel, known: known)
    let mappings = try path.steps.map { try $0.stage.flatMap(mapping) }
    if !callsHandlers {
      for (step, mapping) in zip(path.steps, mappings) where mapping == nil && step.stage?.hasHandler == true {
        throw words.refusal(of: name(step.stage))
      }
    }
    let files = MigrationFiles(source: sourceURL, destination: destinationURL)
    try files.checkApart()
    guard !path.steps.isEmpty else { return false }
    guard !files.hasDestination else {
      throw CoreDataError(
        NSMigrationManagerDestinationStoreError,
        "\(destinationURL.path) is there already; name another destination.")
    }
    let folder = try files.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // This progress is a child of the current one, and each step is a child of this progress.
    let progress = Progress(totalUnitCount: Int64(path.steps.count))
    var store = (url: sourceURL, type: sourceType)
    for (index, step) in path.steps.enumerated() {
      let own = folder.appendingPathComponent("step-\(index + 1)")
      let result = own.appendingPathComponent(destinationURL.lastPathComponent)
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
      // If there is a mapping model, it replaces the handlers.
      let calls = mappings[index] == nil ? step.stage : nil
      if let calls {
        try call(calls.willMigrateHandler, of: calls, with: store.url, store.type, step.source, words)
      }
      progress.becomeCurrent(withPendingUnitCount: 1)
      defer { progress.resignCurrent() }
      do {
        let manager = NSMigrationManager(sourceModel: step.source, destinationModel: step.destination)
        manager.registry = registry
        try manager.migrateStore(
          from: store.url, sourceType: store.type, options: nil,
          with: try mappings[index]
            ?? .inferredMappingModel(forSourceModel: step.source, destinationModel: step.destination),
          toDestinationURL: result, destinationType: NSSQLiteStoreType)
      } catch let error as CoreDataError {
        // The caller doesn't know the files of the steps, so the message names the destination instead.
        throw CoreDataError(
          error.code, files.naming(error.message, result: result),
          underlying: error.userInfo[NSUnderlyingErrorKey] as? any Error)
      }
      if let calls {
        try call(calls.didMigrateHandler, of: calls, with: result, NSSQLiteStoreType, step.destination, words)
      }
      store = (result, NSSQLiteStoreType)
    }
    // A handler of the last step may throw, so the store is moved into place only now.
    try files.install(store.url)
    return true
  }

  /// Calls a handler with a container for the current store.
  ///
  /// A handler that tried to change an object is an error: the store is opened for reading only, and the change would
  /// be lost.
  private func call(
    _ handler: NSCustomMigrationStage.Handler?, of stage: NSCustomMigrationStage, with store: URL,
    _ type: String, _ model: ModelDescription, _ words: StagedCall
  ) throws {
    guard let handler else { return }
    let container = NSPersistentContainer(name: store.lastPathComponent, managedObjectModel: model)
    try container.persistentStoreCoordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: store, options: [NSReadOnlyPersistentStoreOption: true])
    self.container = container
    defer { self.container = nil }
    try handler(self, stage)
    if let change = container.persistentStoreCoordinator.refusedChange {
      // The caller doesn't know the file of a later stage's store, so the message doesn't name the file.
      throw words.refusal(
        of: name(stage),
        change: "\(change)".replacingOccurrences(of: store.path, with: "the store of this stage"))
    }
  }

  private func name(_ stage: NSCustomMigrationStage?) -> String {
    if let label = stage?.label { return "the stage “\(label)”" }
    let place = stages.firstIndex { $0 === stage }.map { " \($0 + 1) of \(stages.count)" } ?? ""
    return "stage\(place), which has no label,"
  }

  private func knownModels(_ models: [ModelDescription]) throws -> [String: ModelDescription] {
    var known: [String: ModelDescription] = [:]
    for model in models { known[model.versionChecksum] = model }
    for case let stage as NSCustomMigrationStage in stages {
      for reference in [stage.currentModel, stage.nextModel] {
        known[reference.versionChecksum] = try reference.resolved()
      }
    }
    return known
  }

  private static func model(
    of metadata: [String: Any], among known: [String: ModelDescription]
  ) -> ModelDescription? {
    known.sorted { $0.key < $1.key }.map(\.value).first {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}

extension NSStagedMigrationManager: StoreStages {
  func migrate(
    _ store: URL, to result: URL, finalModel: ModelDescription,
    sourceModel: ([String: Any]) throws -> ModelDescription, registry: PolicyRegistry,
    mapping: (ModelDescription, ModelDescription) -> MigrationMappingModel?
  ) throws {
    _ = try run(
      StagedCall(store: store, isInPlace: true), type: NSSQLiteStoreType, to: result, finalModel: finalModel,
      models: [], registry: registry, callsHandlers: false, sourceModel: sourceModel
    ) { stage in
      mapping(try stage.currentModel.resolved(), try stage.nextModel.resolved())
    }
  }
}
