public import DecantCatalogue

extension PlanError {
  /// The failure for a job with this error.
  public func failure(family: String) -> MigrationFailure {
    let (reason, code): (String, Int) =
      switch self {
      case .severalPaths, .tooManyWays: ("several-paths", 134140)
      case .directionUnknown: ("direction-unknown", 134140)
      case .notInferable: ("not-inferable", 134190)
      case .inferenceRefused: ("inference-refused", 134140)
      case .unknownPlace, .unknownVersionRefused: ("unknown-version", 134100)
      case .unplacedMappingModels: ("direction-unknown", 134140)
      case .mergedMappingModels: ("merged-mapping-model", 134140)
      case .notMergeable: ("not-mergeable", 134140)
      }
    return MigrationFailure(
      disposition: .refuse, reason: reason, coreDataCode: code, message: message, advice: advice, family: family
    )
  }
}
