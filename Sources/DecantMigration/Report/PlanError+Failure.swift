package import DecantCatalogue
package import DecantReport

extension PlanError {
  package func failure(family: String) -> MigrationFailure {
    let reason: FailureReason =
      switch self {
      case .severalPaths, .tooManyWays: .severalPaths
      case .directionUnknown, .unplacedMappingModels: .directionUnknown
      case .notInferable: .notInferable
      case .inferenceRefused: .inferenceRefused
      case .unknownPlace, .unknownVersionRefused: .unknownVersion
      case .mergedMappingModels: .mergedMappingModel
      case .notMergeable: .notMergeable
      }
    return MigrationFailure(
      reason, coreDataCode: reason == .notMergeable ? 134_140 : nil, message: message, advice: advice,
      family: family)
  }
}
