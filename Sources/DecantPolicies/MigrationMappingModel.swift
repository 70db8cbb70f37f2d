public import DecantMapping
public import Foundation

/// A mapping model of the step, for policies (Core Data's NSMappingModel).
open class MigrationMappingModel: NSObject {
  public let model: MappingModel
  public let entityMappings: [MigrationEntityMapping]

  /// - Parameter first: The number of the first entity mapping among those of all passes.
  package init(_ model: MappingModel, first: Int) {
    self.model = model
    entityMappings = model.entityMappings.enumerated().map { MigrationEntityMapping($1, number: first + $0) }
  }

  public convenience init(_ model: MappingModel) { self.init(model, first: 1) }

  public var name: String { model.name }

  public var entityMappingsByName: [String: MigrationEntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
