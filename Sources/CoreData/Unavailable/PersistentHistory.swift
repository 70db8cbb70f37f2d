// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import Foundation

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public class NSPersistentHistoryChange {
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult>? { nil }
}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public enum NSPersistentHistoryChangeType {}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public class NSPersistentHistoryChangeRequest {
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest { .init() }
  // `point` is a token or a transaction.
  public class func fetchHistory(after point: Any?) -> NSPersistentHistoryChangeRequest { .init() }
  public class func fetchHistory(
    withFetchRequest request: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest { .init() }
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest { .init() }
  public class func deleteHistory(before point: Any?) -> NSPersistentHistoryChangeRequest { .init() }
}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public class NSPersistentHistoryResult {}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public enum NSPersistentHistoryResultType {}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public class NSPersistentHistoryToken {}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public class NSPersistentHistoryTransaction {
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { nil }
}

@available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
public let NSPersistentHistoryTokenKey = "historyToken"

extension NSPersistentStoreCoordinator {
  @available(*, unavailable, message: "a store's history can't be read here; take out the code that reads it")
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? { nil }
}
