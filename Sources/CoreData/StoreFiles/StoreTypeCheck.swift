internal import DecantStore
internal import Foundation

/// Checks types of stores, by their names in `NSStoreType`.
enum StoreTypeCheck {
  static func run(_ name: String) throws(CoreDataError) {
    switch name {
    case SourceStore.Kind.sqlite.name, SourceStore.Kind.xml.name: return
    case "InMemory":
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError,
        "An in-memory store has only the objects that a program inserts, and no objects can be inserted here. Use an "
          + "SQLite store in a temporary folder.")
    case "Binary":
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError,
        "Binary stores can't be read here. Let the application convert the store to SQLite on Apple's system "
          + "(migratePersistentStore).")
    default:
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError, "“\(name)” isn't a store type. Use NSSQLiteStoreType.")
    }
  }

  static func run(_ store: SourceStore, _ name: String) throws(CoreDataError) {
    try run(name)
    guard name != store.kind.name else { return }
    throw CoreDataError(
      NSPersistentStoreInvalidTypeError, "\(store.path) is a store of type \(store.kind.name), not \(name).")
  }
}
