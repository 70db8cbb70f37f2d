internal import Foundation

/// The models that are in use, the latest first.
package enum LiveModels {
  private struct Reference {
    weak var model: ModelDescription?
  }

  private static let lock = NSLock()
  // Only used while the lock is held.
  nonisolated(unsafe) private static var references: [Reference] = []

  /// Puts a model before all others.
  package static func note(_ model: ModelDescription) {
    lock.withLock {
      references.removeAll { $0.model == nil || $0.model === model }
      references.insert(Reference(model: model), at: 0)
    }
  }

  /// The only entity of a class in the latest model that has one.
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
