public import Foundation

/// A store that a coordinator has opened for reading (Core Data's NSPersistentStore).
///
/// `@unchecked Sendable`: as in Core Data, the caller must guard the properties that change.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The store's `NSStoreType`.
  public let type: String
  public internal(set) var url: URL?
  /// The configuration whose objects the store has; `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
  public let configurationName: String
  public let options: [AnyHashable: Any]?
  /// The store's UUID.
  public let identifier: String
  /// Whether the options ask for a store that is only read: its metadata can't be written.
  ///
  /// Objects can't be changed in any store.
  public let isReadOnly: Bool
  public internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  let opened: OpenedStore
  private var heldMetadata: [String: Any]
  private var writtenMetadata: [String: Any]
  private(set) var hasChangedMetadata = false

  /// The name of the configuration with all entities.
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  init(_ opened: OpenedStore, url: URL, configuration: String?, options: [AnyHashable: Any]?) {
    self.opened = opened
    self.url = url
    self.options = options
    configurationName = configuration ?? Self.defaultConfiguration
    type = opened.store.kind.name
    identifier = opened.store.metadata.uuid
    isReadOnly = StoreOptions(options).isReadOnly
    heldMetadata = MetadataDictionary.make(opened.store.metadata, type: opened.store.kind.name)
    writtenMetadata = heldMetadata
  }

  /// The store's metadata.
  ///
  /// After they are set, the next `save()` of a context writes them to the file.
  open var metadata: [String: Any] {
    get { heldMetadata }
    set {
      heldMetadata = newValue
      heldMetadata[NSStoreUUIDKey] = newValue[NSStoreUUIDKey] ?? identifier
      heldMetadata[NSStoreTypeKey] = type
      hasChangedMetadata = true
    }
  }

  func forgetMetadata() {
    guard hasChangedMetadata else { return }
    heldMetadata = writtenMetadata
    hasChangedMetadata = false
  }

  /// - Throws: `CoreDataError`, also for a store that the options open for reading only.
  func writeMetadata() throws(CoreDataError) {
    guard hasChangedMetadata, let url else { return }
    guard !isReadOnly else {
      throw CoreDataError(
        NSPersistentStoreSaveError,
        "\(url.path) was opened with \(NSReadOnlyPersistentStoreOption), so its metadata can't be written.")
    }
    try MetadataFile.write(heldMetadata, try StorePlace(url), type: type)
    writtenMetadata = heldMetadata
    hasChangedMetadata = false
  }

  open override var description: String {
    "<NSPersistentStore \(type) \(url?.path ?? "-") \(identifier)>"
  }
}

extension NSPersistentStore {
  /// The type of a store.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}
