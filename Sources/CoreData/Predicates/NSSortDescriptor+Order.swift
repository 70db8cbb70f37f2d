internal import DecantPolicies
internal import Foundation

extension NSSortDescriptor {
  /// The sort in the engine's form, for objects of an entity.
  ///
  /// - Throws: `CoreDataError` for a Swift key path that isn't one of stored properties.
  func order(
    of entity: String, in context: ManagedObjectContext
  ) throws -> (path: String, ascending: Bool) {
    switch self {
    case let sort as KeySortDescriptor: return (sort.path, ascending)
    case let sort as PropertySortDescriptor:
      // The fetch itself names an entity that the model doesn't have.
      guard let entity = context.model.entitiesByName[entity] else { return ("self", ascending) }
      return (try sort.path(entity, context), ascending)
    default:
      throw CoreDataError(
        NSCoreDataError,
        "a fetch of “\(entity)” is sorted by a key path that isn't one of a managed object class; give the key as text"
      )
    }
  }
}
