public import DecantMapping

/// Why no way leads from a store's version to the destination, or which one is meant can't be told.
public enum PlanError: Error, Hashable, CustomStringConvertible {
  /// Several ways lead through mapping models, each given by its versions.
  case severalPaths(source: String, destination: String, paths: [[String]])
  /// It can't be told whether these mapping models lie on the way.
  case directionUnknown(source: String, destination: String, mappingModels: [String])
  case notInferable(source: String, destination: String, InferenceError)
  case inferenceRefused(source: String, destination: String)
  /// The mapping models can be combined in too many ways to look at.
  case tooManyWays(source: String, destination: String)

  public var description: String { "\(message) \(advice)" }

  /// One sentence that says what is the matter.
  public var message: String {
    switch self {
    case .severalPaths(let source, let destination, let paths):
      "Several ways lead from “\(source)” to “\(destination)” through mapping models: "
        + paths.map { $0.map { "“\($0)”" }.joined(separator: " → ") }.joined(separator: "; or ") + "."
    case .directionUnknown(let source, let destination, let models):
      "It can't be told whether \(models.map { "“\($0)”" }.joined(separator: ", ")) lies on the way from “\(source)” "
        + "to “\(destination)”."
    case .notInferable(let source, let destination, let error):
      "The step from “\(source)” to “\(destination)” can't be inferred: \(error.change)."
    case .inferenceRefused(let source, let destination):
      "No mapping models lead from “\(source)” to “\(destination)”, and family.json5 says inference: \"refuse\"."
    case .tooManyWays(let source, let destination):
      "The mapping models of the family can be combined in too many ways between “\(source)” and “\(destination)”."
    }
  }

  /// What to do about it.
  public var advice: String {
    switch self {
    case .severalPaths(_, _, let paths):
      "Set “path” in family.json5, such as path: [\((paths.first ?? []).map { "\"\($0)\"" }.joined(separator: ", "))]."
    case .directionUnknown(let source, let destination, _):
      "Set “path” in family.json5: path: [\"\(source)\", \"\(destination)\"] for one inferred step, or the list of all "
        + "versions through which stores shall go."
    case .notInferable(_, _, let error): "\(error.advice)."
    case .inferenceRefused: "Add mapping models, or set inference: \"allow\"."
    case .tooManyWays: "Set “path” in family.json5 to the list of versions through which stores shall go."
    }
  }

  /// The failure that a job ends with.
  public func failure(family: String) -> MigrationFailure {
    let (reason, code): (String, Int) =
      switch self {
      case .severalPaths, .tooManyWays: ("several-paths", 134140)
      case .directionUnknown: ("direction-unknown", 134140)
      case .notInferable: ("not-inferable", 134190)
      case .inferenceRefused: ("inference-refused", 134140)
      }
    return MigrationFailure(
      disposition: .refuse, reason: reason, coreDataCode: code, message: message, advice: advice, family: family
    )
  }
}
