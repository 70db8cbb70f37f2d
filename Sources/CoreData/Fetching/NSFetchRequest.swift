public import DecantPolicies
public import Foundation

/// A possible result of a fetch.
public protocol NSFetchRequestResult {}

extension ManagedObject: NSFetchRequestResult {}
extension ManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The form of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let managedObjectResultType = Self([])
  public static let managedObjectIDResultType = Self(rawValue: 1)
  public static let dictionaryResultType = Self(rawValue: 2)
  public static let countResultType = Self(rawValue: 4)
}

/// A request for the objects of an entity.
///
/// These settings have no effect: `fetchBatchSize`, `includesPropertyValues`, `includesPendingChanges`,
/// `shouldRefreshRefetchedObjects`, `relationshipKeyPathsForPrefetching`.
open class NSFetchRequest<Result>: NSObject {
  public var entityName: String?
  public var entity: EntityDescription? { didSet { entityName = entity?.name } }
  public var predicate: NSPredicate?
  public var sortDescriptors: [NSSortDescriptor]?
  /// The largest number of results; 0 for no limit.
  public var fetchLimit = 0
  public var fetchOffset = 0
  public var fetchBatchSize = 0
  public var includesSubentities = true
  public var includesPropertyValues = true
  public var includesPendingChanges = true
  public var returnsObjectsAsFaults = true
  public var returnsDistinctResults = false
  public var shouldRefreshRefetchedObjects = false
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The stores that are read; nil for all stores of the context.
  ///
  /// In a migration, this has no effect.
  public var affectedStores: [NSPersistentStore]?
  /// The properties in the dictionaries of the result, as names or descriptions; nil for all attributes.
  public var propertiesToFetch: [Any]?
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  public override init() {}

  public init(entityName: String) { self.entityName = entityName }

  /// The request in the engine's form.
  func query(in context: ManagedObjectContext) throws -> ManagedObjectContext.Query {
    guard let entityName else { throw CoreDataError(NSCoreDataError, "a fetch request names no entity") }
    var query = ManagedObjectContext.Query(
      entity: entityName, predicate: try predicate?.formatPredicate(),
      order: try sortDescriptors?.map { try $0.order(of: entityName, in: context) } ?? [],
      limit: fetchLimit > 0 ? fetchLimit : nil,
      offset: fetchOffset, includesSubentities: includesSubentities)
    query.stores = affectedStores?.map(\.identifier)
    return query
  }

  /// The results, from the context whose `perform` block is running.
  ///
  /// - Throws: The errors of `fetch(_:)`; `CoreDataError` if no `perform` block is running.
  public func execute() throws -> [Result] {
    guard let context = ManagedObjectContext.current else {
      throw CoreDataError(
        NSCoreDataError,
        "execute() was called outside of a block of perform. Call it in such a block, or use context.fetch(_:)."
      )
    }
    return try context.fetch(self)
  }
}

extension ManagedObject {
  /// A request for the entity that has the class's name.
  ///
  /// A class that Xcode generates has a method of its own. For other classes, `@_disfavoredOverload` makes the compiler
  /// prefer the method in the extension below. Apps need the type of that method's result, such as
  /// `NSFetchRequest<Note>`. On Linux, the result of the method here can't be cast to such a type.
  @_disfavoredOverload
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: "\(self)")
  }
}

extension NSFetchRequestResult where Self: ManagedObject {
  /// A request for the entity that has the class's name, with objects of the class as results.
  public static func fetchRequest() -> NSFetchRequest<Self> { NSFetchRequest(entityName: "\(self)") }

  /// Makes an object of the entity with this class.
  ///
  /// This initialiser is in a protocol extension, so that a class can have its own `init(context:)`, and generic code
  /// can call it for a type parameter or `Self`.
  public init(context: ManagedObjectContext) {
    self.init(entity: context.entity(ofClass: Self.self), insertInto: context)
  }
}
