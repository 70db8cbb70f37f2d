public import Foundation

/// How a container opens a store (Core Data's NSPersistentStoreDescription).
///
/// The time limit has no effect. Of the pragmas, only `journal_mode` has an effect.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  open var type = NSSQLiteStoreType
  open var configuration: String?
  open var url: URL?
  /// Options by their keys, such as `NSReadOnlyPersistentStoreOption`.
  open private(set) var options: [String: NSObject] = [:]
  /// This has no effect: stores are always opened at once.
  open var shouldAddStoreAsynchronously = false

  public override init() {
    super.init()
    shouldMigrateStoreAutomatically = true
    shouldInferMappingModelAutomatically = true
  }

  public convenience init(url: URL) {
    self.init()
    self.url = url
  }

  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }

  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
  }

  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// This has no effect.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// Pragmas by name.
  open private(set) var sqlitePragmas: [String: NSObject] = [:]

  open func setValue(_ value: NSObject?, forPragmaNamed name: String) { sqlitePragmas[name] = value }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  var allOptions: [AnyHashable: Any] {
    var all: [AnyHashable: Any] = options
    if !sqlitePragmas.isEmpty { all[NSSQLitePragmasOption] = sqlitePragmas }
    return all
  }

  open func copy(with zone: NSZone?) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.type, copy.configuration, copy.url) = (type, configuration, url)
    (copy.options, copy.sqlitePragmas) = (options, sqlitePragmas)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }

  open override var description: String {
    "<NSPersistentStoreDescription type: \(type) url: \(url?.path ?? "-")>"
  }
}
