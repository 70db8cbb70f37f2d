// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import DecantPolicies
public import Foundation

@available(*, unavailable, message: "use NSPersistentContainer: a worker doesn't sync with CloudKit")
public class NSPersistentCloudKitContainer {
  public init(name: String) {}
  public init(name: String, managedObjectModel: NSManagedObjectModel) {}
}

@available(*, unavailable, message: "use NSPersistentContainer: a worker doesn't sync with CloudKit")
public class NSPersistentCloudKitContainerOptions {
  public init(containerIdentifier: String) {}
}

@available(*, unavailable, message: "use NSPersistentContainer: a worker doesn't sync with CloudKit")
public class NSPersistentCloudKitContainerSchemaInitializationOptions {}

@available(*, unavailable, message: "use NSPersistentContainer: a worker doesn't sync with CloudKit")
public class NSPersistentCloudKitContainerEventRequest {
  public class func fetchEvents(after date: Date) -> NSPersistentCloudKitContainerEventRequest { .init() }
  public class func fetchEvents(matching request: Any) -> NSPersistentCloudKitContainerEventRequest { .init() }
}

@available(*, unavailable, message: "use NSPersistentContainer: a worker doesn't sync with CloudKit")
public class NSPersistentCloudKitContainerEventResult {}

@available(*, unavailable, message: "take it out: a worker makes no index for Spotlight")
public class NSCoreDataCoreSpotlightDelegate {
  public init(forStoreWith description: NSPersistentStoreDescription, coordinator: NSPersistentStoreCoordinator)
  {}
}

extension NSPersistentStoreDescription {
  @available(*, unavailable, message: "take it out: a worker doesn't sync with CloudKit")
  public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
    get { nil }
    set {}
  }
}

extension NSPersistentStore {
  @available(*, unavailable, message: "take it out: a worker makes no index for Spotlight")
  public var coreSpotlightExporter: NSCoreDataCoreSpotlightDelegate? { nil }
}

extension EntityDescription {
  @available(*, unavailable, message: "take it out: a worker makes no index for Spotlight")
  public var coreSpotlightDisplayNameExpression: NSExpression? { nil }
}

extension PropertyDescription {
  @available(*, unavailable, message: "take it out: a worker makes no index for Spotlight")
  public var isIndexedBySpotlight: Bool {
    get { false }
    set {}
  }

  @available(*, unavailable, message: "take it out: a worker makes no index for Spotlight")
  public var isStoredInExternalRecord: Bool {
    get { false }
    set {}
  }
}

extension AttributeDescription {
  @available(*, unavailable, message: "take it out: a worker doesn't sync with CloudKit")
  public var allowsCloudEncryption: Bool {
    get { false }
    set {}
  }
}
