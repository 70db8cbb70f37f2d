internal import DecantPolicies
internal import Foundation

extension NSSortDescriptor {
  /// The sort in the engine's form, for objects of an entity.
  func order(
    of entity: String, in context: ManagedObjectContext
  ) throws -> (path: String, ascending: Bool) {
    switch self {
    case let sort as KeySortDescriptor: return (sort.path, ascending)
    case let sort as PropertySortDescriptor:
      // If the model doesn't have the entity, the fetch throws the error.
      guard let entity = context.model.entitiesByName[entity] else { return ("self", ascending) }
      return (try sort.path(entity, context), ascending)
    default:
      throw CoreDataError(
        NSCoreDataError,
        "a fetch of “\(entity)” can be sorted only by key paths of managed object classes; give the key as text"
      )
    }
  }
}
