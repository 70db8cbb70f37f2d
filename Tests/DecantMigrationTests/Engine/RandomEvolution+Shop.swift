import DecantStore
import DecantSynthesis
import Foundation

extension RandomEvolution {
  /// A workshop with the versions and a store of the first version; `nil` if no store of the model can be made.
  func shop(seed: UInt64, family: String? = nil) throws -> Workshop? {
    let shop = try Workshop(versions, family: family)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    do {
      _ = try SyntheticStore.write(
        model: try shop.model("V1"), framework: FrameworkVersion([641, 866, 1_344][Int(seed % 3)]), rows: 40,
        seed: seed, to: shop.source.path)
    } catch let error as LayoutError {
      // The rules leave a point open (docs/formats/core-data-sqlite.md 13), such as some join tables in a hierarchy.
      if case .unsettled = error { return nil }
      throw error
    } catch GeneratingError.noConcreteEntity {
      return nil
    }
    return shop
  }
}
