internal import DecantMapping

/// The properties and targets that `others: "infer"` loses.
///
/// These losses are counted from `inferredLosses`, so the searches for other losses leave them out.
package struct InferredLossNames {
  private let losses: [MappingModel.InferredLosses]

  init(_ models: [MappingModel]) { losses = models.map(\.inferredLosses) }

  /// Whether an entity's objects lose a property.
  func drops(_ property: String, of entity: String) -> Bool {
    losses.contains { $0.drops.contains { $0.property == property && $0.entities.contains(entity) } }
  }

  /// The entities of the targets that a relationship loses.
  func targets(_ relationship: String, of entity: String) -> [String] {
    losses.flatMap(\.lostTargets).filter {
      $0.sourceEntity == entity && $0.sourceRelationship == relationship
    }.flatMap(\.targets)
  }
}
