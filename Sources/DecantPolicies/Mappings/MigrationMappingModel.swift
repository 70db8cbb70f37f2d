// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// “entityMappings” has the type that it has in Core Data, so that code of apps compiles as it is.

public import DecantMapping
public import Foundation

/// A mapping model, for policies and programs (Core Data's NSMappingModel).
///
/// A program can make a mapping model, and change a mapping model that was read or inferred.
open class MigrationMappingModel: NSObject, NSCopying {
  /// The mapping model as it was read, inferred or made.
  private let original: MappingModel
  private var mappings: [MigrationEntityMapping]

  /// - Parameter first: The number of the first entity mapping among those of all passes.
  package init(_ model: MappingModel, first: Int) {
    original = model
    mappings = model.entityMappings.enumerated().map { MigrationEntityMapping($1, number: first + $0) }
  }

  public convenience init(_ model: MappingModel) { self.init(model, first: 1) }

  /// Makes a mapping model without entity mappings.
  public override convenience init() {
    self.init(MappingModel(name: "mapping model in memory", origin: .code, entityMappings: []))
  }

  init(copying other: MigrationMappingModel) {
    original = other.original
    mappings = other.mappings.map { MigrationEntityMapping(copying: $0) }
  }

  public func copy(with zone: NSZone?) -> Any { snapshot() }

  /// A copy with mappings of its own.
  package func snapshot() -> MigrationMappingModel { MigrationMappingModel(copying: self) }

  /// Numbers the entity mappings; the first one gets the given number.
  package func number(from first: Int) {
    for (index, mapping) in mappings.enumerated() { mapping.number = first + index }
  }

  // MARK: Contents

  /// The entity mappings in execution order; never nil.
  public var entityMappings: [MigrationEntityMapping]! {
    get { mappings }
    set { mappings = newValue ?? [] }
  }

  public var entityMappingsByName: [String: MigrationEntityMapping] {
    Dictionary(mappings.map { ($0.mapping.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public var name: String { original.name }

  /// The mapping model with everything that the program has set; the original if something can't be used.
  public var model: MappingModel { (try? value()) ?? original }

  /// The mapping model with everything that the program has set.
  ///
  /// - Throws: `PolicyProblem` with the expression or the name that can't be used.
  package func value() throws(PolicyProblem) -> MappingModel {
    var value = original
    value.entityMappings = []
    for mapping in mappings { value.entityMappings.append(try mapping.value()) }
    guard value.entityMappings != original.entityMappings else { return original }
    // An inferred mapping model that was changed no longer counts as inferred.
    if original.origin == .inferred {
      value.origin = .code
      value.name = "inferred, changed in memory"
    }
    return value
  }
}
