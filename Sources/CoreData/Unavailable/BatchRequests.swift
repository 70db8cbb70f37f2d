// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

@available(
  *, unavailable,
  message:
    "in a policy, change objects one by one with setValue(_:forKey:); outside of a migration stores can't be changed"
)
public class NSBatchUpdateRequest {
  public init(entityName: String) {}
  public init(entity: NSEntityDescription) {}
}

@available(
  *, unavailable,
  message:
    "in a policy, change objects one by one with setValue(_:forKey:); outside of a migration stores can't be changed"
)
public class NSBatchUpdateResult {}

@available(
  *, unavailable,
  message:
    "in a policy, change objects one by one with setValue(_:forKey:); outside of a migration stores can't be changed"
)
public enum NSBatchUpdateRequestResultType {}

@available(
  *, unavailable,
  message:
    "in a policy, make objects with NSEntityDescription.insertNewObject(forEntityName:into:); outside of a migration stores can't be changed"
)
public class NSBatchInsertRequest {
  public init(entityName: String, objects: [[String: Any]]) {}
  public init(entity: NSEntityDescription, objects: [[String: Any]]) {}
  public init(entityName: String, managedObjectHandler: (NSManagedObject) -> Bool) {}
  public init(entity: NSEntityDescription, managedObjectHandler: (NSManagedObject) -> Bool) {}
}

@available(
  *, unavailable,
  message:
    "in a policy, make objects with NSEntityDescription.insertNewObject(forEntityName:into:); outside of a migration stores can't be changed"
)
public class NSBatchInsertResult {}

@available(
  *, unavailable,
  message:
    "in a policy, make objects with NSEntityDescription.insertNewObject(forEntityName:into:); outside of a migration stores can't be changed"
)
public enum NSBatchInsertRequestResultType {}

@available(
  *, unavailable,
  message: "in a policy, delete objects one by one, or leave them out with a filter of the mapping model"
)
public class NSBatchDeleteRequest {
  public init(fetchRequest: NSFetchRequest<any NSFetchRequestResult>) {}
  public init(objectIDs: [NSManagedObjectID]) {}
}

@available(
  *, unavailable,
  message: "in a policy, delete objects one by one, or leave them out with a filter of the mapping model"
)
public class NSBatchDeleteResult {}

@available(
  *, unavailable,
  message: "in a policy, delete objects one by one, or leave them out with a filter of the mapping model"
)
public enum NSBatchDeleteRequestResultType {}
