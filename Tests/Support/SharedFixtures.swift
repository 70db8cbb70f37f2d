public import Foundation

/// The genuine stores and models beside the package, if they exist.
public enum SharedFixtures {
  /// One store of the manifest.
  public struct Store: Decodable, Sendable, CustomStringConvertible {
    public let folder: String
    public let store: String
    public let kind: String
    public let walBytes: Int
    public let framework: Int?
    /// Path of the model's file inside the folder.
    public let model: String?
    public let hashes: Int
    public let verified: Int
    public let rows: [String: Int]
    public let joins: [String: Int]
    public let persistentHistory: Bool

    public var description: String { "\(folder)/\(store)" }

    public var folderURL: URL { SharedFixtures.stores.appendingPathComponent(folder) }
    public var storeURL: URL { folderURL.appendingPathComponent(store) }
    /// The `.xcdatamodeld` or `.xcdatamodel` whose `contents` is the store's model; `nil` for other forms.
    public var modelFolder: URL? {
      guard let model, model.hasSuffix("/contents") else { return nil }
      return folderURL.appendingPathComponent(model).deletingLastPathComponent()
    }
  }

  /// `../shared/fixtures` beside the package.
  public static let root = Repository.root
    .appendingPathComponent("../shared/fixtures").standardizedFileURL
  public static let stores = root.appendingPathComponent("stores")
  public static let manifest =
    (try? JSONDecoder().decode(
      [Store].self, from: Data(contentsOf: stores.appendingPathComponent("manifest.json")))) ?? []

  /// Whether the fixtures exist; tests that need them are skipped otherwise.
  public static var areThere: Bool { !manifest.isEmpty }
  /// The text for a skipped test.
  public static let reason = "the genuine stores of ../shared/fixtures are not beside this package"

  /// Copies a store with its `-wal`, so that the genuine files don't change.
  ///
  /// - Returns: The copy.
  public static func copy(_ store: Store, into folder: TemporaryFolder) throws -> URL {
    let target = folder.url.appendingPathComponent(store.store)
    for suffix in ["", "-wal"] {
      let source = store.storeURL.path + suffix
      guard FileManager.default.fileExists(atPath: source) else { continue }
      let data = try Data(contentsOf: URL(fileURLWithPath: source))
      try data.write(to: URL(fileURLWithPath: target.path + suffix))
    }
    return target
  }
}
