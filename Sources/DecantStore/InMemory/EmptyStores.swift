internal import DecantSQLite
internal import Foundation
internal import PredicateFormat
internal import Synchronization

/// The bytes of an empty store; a class, because its identity is part of a key of `KeptConnections`.
final class EmptyStore: Sendable {
  let bytes: Data

  init(_ bytes: Data) { self.bytes = bytes }
}

/// A cache of empty stores, by the statements that create them.
package final class EmptyStores: Sendable {
  /// The settings that give a new file Core Data's form (docs/formats/core-data-sqlite.md 10).
  static let format = "PRAGMA page_size=4096; PRAGMA auto_vacuum=2; PRAGMA encoding='UTF-8'"
  /// The largest number of kept stores.
  ///
  /// A few are enough, because most stores of a family are migrated to one version.
  private static let most = 16

  private struct Shelf {
    var stores: [Key: EmptyStore] = [:]
    var order: [Key] = []
  }

  /// Hashes only the number of statements, the first one and the last one: different lists rarely agree in all three.
  private struct Key: Hashable {
    let statements: [String]

    /// Compares bytes: texts in different Unicode normal forms are different names and values.
    static func == (left: Key, right: Key) -> Bool {
      left.statements.elementsEqual(right.statements) { Bytes.areEqual($0, $1) }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(statements.count)
      hasher.combine(statements.first)
      hasher.combine(statements.last)
    }
  }

  private let shelf = Mutex(Shelf())

  package init() {}

  func store(creating statements: [String]) throws(SQLiteError) -> EmptyStore {
    let key = Key(statements: statements)
    if let store = shelf.withLock({ $0.stores[key] }) { return store }
    let store = EmptyStore(try Self.make(statements))
    shelf.withLock { shelf in
      guard shelf.stores.updateValue(store, forKey: key) == nil else { return }
      shelf.order.append(key)
      if shelf.order.count > Self.most { shelf.stores[shelf.order.removeFirst()] = nil }
    }
    return store
  }

  private static func make(_ statements: [String]) throws(SQLiteError) -> Data {
    let database = try SQLiteDatabase("empty store", mode: .memory)
    try database.execute(format)
    try database.transaction { () throws(SQLiteError) in
      for statement in statements { try database.execute(statement) }
    }
    return try database.image()
  }
}
