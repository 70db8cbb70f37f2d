internal import Foundation
internal import Synchronization

/// Empty stores as bytes, made once for each set of statements and kept for further stores of the same model version.
public final class EmptyStores: Sendable {
  /// How many are kept; a family's stores mostly go to one version.
  private static let most = 16

  private struct Shelf {
    var images: [[String]: Data] = [:]
    var order: [[String]] = []
  }

  private let shelf = Mutex(Shelf())

  public init() {}

  /// The bytes of an empty store with what these statements create.
  ///
  /// - Throws: `SQLiteError`.
  func image(creating statements: [String]) throws(SQLiteError) -> Data {
    if let image = shelf.withLock({ $0.images[statements] }) { return image }
    let image = try Self.make(statements)
    shelf.withLock { shelf in
      guard shelf.images.updateValue(image, forKey: statements) == nil else { return }
      shelf.order.append(statements)
      if shelf.order.count > Self.most { shelf.images[shelf.order.removeFirst()] = nil }
    }
    return image
  }

  private static func make(_ statements: [String]) throws(SQLiteError) -> Data {
    let database = try SQLiteDatabase("empty store", mode: .memory)
    try database.execute(DestinationStore.format)
    try database.transaction { () throws(SQLiteError) in
      for statement in statements { try database.execute(statement) }
    }
    return try database.image()
  }
}
