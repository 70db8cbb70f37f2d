import DecantMapping
import DecantStore

@testable import DecantMigration
@testable import DecantPasses

/// The plan of one mapping model between the first two versions.
func passPlan(_ model: MappingModel, _ shop: Workshop) throws -> PassPlan {
  PassPlan(
    source: try StoreLayout(try shop.model("V1"), framework: .current),
    destination: try StoreLayout(try shop.model("V2"), framework: .current), mappingModels: [model])
}
