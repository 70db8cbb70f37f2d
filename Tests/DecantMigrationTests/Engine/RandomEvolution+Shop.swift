import DecantStore
import DecantSynthesis
import Foundation

extension RandomEvolution {
  /// A workshop with the versions and a store of the first one; `nil` for a model that no store can be made of.
  func shop(seed: UInt64, family: String? = nil) throws -> Workshop? {
    let shop = try Workshop(versions, family: family)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    do {
      _ = try SyntheticStore.write(
        model: try shop.model("V1"), framework: FrameworkVersion([641, 866, 1_344][Int(seed % 3)]), rows: 40,
        seed: seed, to: shop.source.path)
    } catch let error as LayoutError {
      // Open points (docs/formats/core-data-sqlite.md 13), such as a many-to-many relationship within a family.
      if case .unsettled = error { return nil }
      throw error
    } catch GeneratingError.noConcreteEntity {
      return nil
    }
    return shop
  }
}
