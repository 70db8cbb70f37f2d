// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies

@available(*, unavailable, message: "it is for user interfaces; fetch with NSFetchRequest")
public class NSFetchedResultsController<ResultType> {
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {}
  public class func deleteCache(withName name: String?) {}
}

@available(*, unavailable, message: "it is for user interfaces; fetch with NSFetchRequest")
public protocol NSFetchedResultsControllerDelegate: AnyObject {}

@available(*, unavailable, message: "it is for user interfaces; fetch with NSFetchRequest")
public protocol NSFetchedResultsSectionInfo: AnyObject {}

@available(*, unavailable, message: "it is for user interfaces; fetch with NSFetchRequest")
public enum NSFetchedResultsChangeType {}
