internal import Foundation

/// The call that carries out stages, with the facts that errors about handlers need.
struct StagedCall {
  /// The store that is migrated, as the caller named it.
  let store: URL
  /// Whether the stages are an option of `addPersistentStore`, which has no parameters for mapping models and handlers.
  let isInPlace: Bool

  /// The error for a stage whose handler isn't replaced by a mapping model.
  ///
  /// - Parameters:
  ///   - stage: Words for the stage.
  ///   - change: The change that the handler tried to make; nil if the handler wasn't called.
  func refusal(of stage: String, change: String? = nil) -> CoreDataError {
    let problem =
      change.map { "\(store.path): a handler of \(stage) tried to change the store: \($0)." }
      ?? "\(store.path): \(stage) has a handler. On Linux, a handler can read the store but can't change it."
    return CoreDataError(
      NSMigrationError, "\(problem) \(mappingAdvice)\(change == nil ? " \(readingAdvice)" : "")")
  }

  private var mappingAdvice: String {
    "Write a mapping model from the stage's currentModel to its nextModel that does the work of the handler"
      + (isInPlace
        ? ", and add it to the main bundle or to a folder of the coordinator's modelFolders."
        : ", and return it from the closure “mapping” of migrateStore(from:to:finalModel:mapping:).")
  }

  private var readingAdvice: String {
    let call = "If the handler changes nothing, "
    return isInPlace
      ? call + "migrate the file before it is added, with migrateStore(from:to:finalModel:callsHandlers:) of "
        + "NSStagedMigrationManager and callsHandlers: true."
      : call + "call migrateStore(from:to:finalModel:callsHandlers:) with callsHandlers: true."
  }
}
