// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Names of Apple's that aren't here. The compiler's message says what to use; docs/what-is-missing.md lists them.

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public class NSPersistentHistoryChange {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public enum NSPersistentHistoryChangeType {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public class NSPersistentHistoryChangeRequest {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public class NSPersistentHistoryResult {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public enum NSPersistentHistoryResultType {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public class NSPersistentHistoryToken {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public class NSPersistentHistoryTransaction {}

@available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
public let NSPersistentHistoryTokenKey = "historyToken"

extension NSPersistentStoreCoordinator {
  @available(*, unavailable, message: "a store's history can't be read here; take the code out that reads it")
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? { nil }
}
