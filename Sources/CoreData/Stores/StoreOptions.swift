internal import Foundation

/// The options of `addPersistentStore` that have an effect.
struct StoreOptions {
  private let options: [AnyHashable: Any]

  init(_ options: [AnyHashable: Any]?) { self.options = options ?? [:] }

  var isReadOnly: Bool { flag(NSReadOnlyPersistentStoreOption) }
  var migrates: Bool { flag(NSMigratePersistentStoresAutomaticallyOption) }
  var infersMapping: Bool { flag(NSInferMappingModelAutomaticallyOption) }
  var stages: (any StoreStages)? {
    options[NSPersistentStoreStagedMigrationManagerOptionKey] as? any StoreStages
  }
  var ignoresVersion: Bool { flag(NSIgnorePersistentStoreVersioningOption) }

  /// Whether the options ask for a write-ahead log; nil if they have no `journal_mode`.
  var usesWriteAheadLog: Bool? {
    let pragmas = options[NSSQLitePragmasOption] as? [String: Any]
    return pragmas?["journal_mode"].map { "\($0)".uppercased() == "WAL" }
  }

  private func flag(_ key: String) -> Bool {
    switch options[key] {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    case let text as String: (text as NSString).boolValue
    default: false
    }
  }
}
