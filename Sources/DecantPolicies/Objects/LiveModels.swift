internal import Foundation

/// The models that are in use, the latest first.
package enum LiveModels {
  private struct Reference {
    weak var model: ModelDescription?
  }

  private static let lock = NSLock()
  // Only used while the lock is held.
  nonisolated(unsafe) private static var references: [Reference] = []

  /// Makes a model the latest one.
  package static func note(_ model: ModelDescription) {
    lock.withLock {
      references.removeAll { $0.model == nil || $0.model === model }
      references.insert(Reference(model: model), at: 0)
    }
  }

  /// The entity of a class, from the first model in which exactly one entity has the class; `nil` if there is no such
  /// model.
  ///
  /// The model of the current context is the first one.
  static func entity(ofClass name: String) -> EntityDescription? {
    let models = lock.withLock { references.compactMap(\.model) }
    let current = ManagedObjectContext.current.map { [$0.model] } ?? []
    for model in current + models {
      let found = model.entities.filter { ClassName.isSame($0.managedObjectClassName, name) }
      if found.count == 1 { return found[0] }
    }
    return nil
  }
}
