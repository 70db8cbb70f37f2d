internal import Foundation

/// The options of `addPersistentStore` that have an effect.
struct StoreOptions {
  private let options: [AnyHashable: Any]

  init(_ options: [AnyHashable: Any]?) { self.options = options ?? [:] }

  var isReadOnly: Bool { flag(NSReadOnlyPersistentStoreOption) }
  var migrates: Bool { flag(NSMigratePersistentStoresAutomaticallyOption) }
  var infersMapping: Bool { flag(NSInferMappingModelAutomaticallyOption) }
  /// Whether a store of another version is opened as it is.
  var ignoresVersion: Bool { flag(NSIgnorePersistentStoreVersioningOption) }

  /// Whether a new store has a write-ahead log, which is the default.
  var usesWriteAheadLog: Bool {
    let pragmas = options[NSSQLitePragmasOption] as? [String: Any]
    guard let mode = pragmas?["journal_mode"] else { return true }
    return "\(mode)".uppercased() == "WAL"
  }

  /// The value of a number, a truth value or a text.
  private func flag(_ key: String) -> Bool {
    switch options[key] {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    case let text as String: (text as NSString).boolValue
    default: false
    }
  }
}
