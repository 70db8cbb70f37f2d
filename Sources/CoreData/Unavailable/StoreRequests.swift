// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

@available(
  *, unavailable,
  message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
)
public class NSPersistentStoreRequest {}

@available(
  *, unavailable,
  message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
)
public enum NSPersistentStoreRequestType {}

@available(
  *, unavailable,
  message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
)
public class NSPersistentStoreResult {}

@available(*, unavailable, message: "use fetch(_:) of the context: it returns the objects")
public class NSPersistentStoreAsynchronousResult {}

@available(*, unavailable, message: "use fetch(_:) of the context: it returns the objects")
public class NSAsynchronousFetchRequest<ResultType> {
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {}
}

@available(*, unavailable, message: "use fetch(_:) of the context: it returns the objects")
public class NSAsynchronousFetchResult<ResultType> {}

@available(
  *, unavailable,
  message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
)
public class NSSaveChangesRequest {
  public init(
    inserted: Set<ManagedObject>?, updated: Set<ManagedObject>?, deleted: Set<ManagedObject>?,
    locked: Set<ManagedObject>?
  ) {}
}

@available(
  *, unavailable,
  message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
)
public class NSFetchRequestExpression {
  public class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool
  ) -> NSExpression { fetch }
}

@available(
  *, unavailable,
  message: "fetch the objects and compute the value, or write an expression in the mapping model"
)
public class NSExpressionDescription {
  public init() {}
}

@available(*, unavailable, message: "a context reads the store as it is; take it out")
public class NSQueryGenerationToken {
  public static var current: NSQueryGenerationToken { NSQueryGenerationToken() }
}

extension ManagedObjectContext {
  @available(
    *, unavailable,
    message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
  )
  public func execute(_ request: Any) throws -> Any { request }

  @available(*, unavailable, message: "a context reads the store as it is; take it out")
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {}

  @available(*, unavailable, message: "a context reads the store as it is; take it out")
  public var queryGenerationToken: NSQueryGenerationToken? { nil }
}

extension NSPersistentStoreCoordinator {
  @available(
    *, unavailable,
    message: "stores are read with fetch(_:) and count(for:), and migrated with NSMigrationManager"
  )
  public func execute(_ request: Any, with context: ManagedObjectContext) throws -> Any { request }
}

extension NSFetchRequest {
  @available(*, unavailable, message: "group the fetched objects with Dictionary(grouping:by:)")
  public var propertiesToGroupBy: [Any]? {
    get { nil }
    set {}
  }

  @available(*, unavailable, message: "filter the groups in Swift")
  public var havingPredicate: NSPredicate? {
    get { nil }
    set {}
  }
}
