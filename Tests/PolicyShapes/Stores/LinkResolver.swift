import CoreData

/// Makes texts that link to objects, as apps do for preferences and Spotlight, and finds the objects again.
///
/// It stands for: `uriRepresentation`, `managedObjectID(forURIRepresentation:)`, `object(with:)`,
/// `existingObject(with:)`.
final class LinkResolver {
  private let context: NSManagedObjectContext

  init(context: NSManagedObjectContext) {
    self.context = context
  }

  func link(to object: NSManagedObject) -> String? {
    guard !object.objectID.isTemporaryID else { return nil }
    return object.objectID.uriRepresentation().absoluteString
  }

  func resolve<Object: NSManagedObject>(_ link: String, as type: Object.Type) -> Object? {
    guard let url = URL(string: link),
      let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
    else { return nil }
    let object = context.object(with: id)
    guard (try? context.existingObject(with: object.objectID)) != nil else { return nil }
    return object as? Object
  }
}
