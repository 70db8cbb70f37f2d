public import DecantMapping
public import DecantModel

/// Why no path leads from a store's version to the destination, or why the right one can't be determined.
public enum PlanError: Error, Hashable, CustomStringConvertible {
  /// Several paths lead through mapping models; each is given by its versions.
  case severalPaths(source: String, destination: String, paths: [[String]])
  /// It isn't known whether these mapping models lie between the versions.
  case directionUnknown(source: String, destination: String, mappingModels: [String])
  /// The step can't be inferred; `backwards` are the mapping models of the opposite direction.
  case notInferable(source: String, destination: String, InferenceError, backwards: [String] = [])
  case inferenceRefused(source: String, destination: String)
  /// The mapping models have too many combinations to search.
  case tooManyWays(source: String, destination: String)
  /// The place of a store's unknown version among mapping models, or on a stated path, isn't known.
  case unknownPlace(nearest: String, obstacle: String)
  /// family.json5 refuses stores of unknown versions.
  case unknownVersionRefused(nearest: String)
  /// Mapping models from or to versions in which the store's configuration is missing or incomplete.
  case unplacedMappingModels(configuration: String, mappingModels: [String])
  /// The paths of a merged store's models lead through these mapping models, which can't be run for a part of a store.
  case mergedMappingModels(source: String, destination: String, mappingModels: [String])
  /// Two models on the path can't be merged.
  case notMergeable(source: String, destination: String, ModelError)

  public var description: String { "\(message) \(advice)" }

  /// The error, in one sentence or two.
  public var message: String {
    switch self {
    case .severalPaths(let source, let destination, let paths):
      "Several paths lead from “\(source)” to “\(destination)” through mapping models: "
        + paths.map { $0.map { "“\($0)”" }.joined(separator: " → ") }.joined(separator: "; or ") + "."
    case .directionUnknown(let source, let destination, let models):
      "It isn't known whether the path from “\(source)” to “\(destination)” "
        + "leads through \(listed(models))."
    case .notInferable(let source, let destination, let error, _):
      "The step from “\(source)” to “\(destination)” can't be inferred: \(error.change)."
    case .inferenceRefused(let source, let destination):
      "No mapping models lead from “\(source)” to “\(destination)”, and family.json5 says inference: \"refuse\"."
    case .tooManyWays(let source, let destination):
      "The mapping models of the family can be combined in too many ways between “\(source)” and “\(destination)”."
    case .unknownPlace(let nearest, let obstacle):
      "The store is of a model version that the catalogue doesn't have; the nearest is “\(nearest)”. "
        + "The store keeps its own model, but its place among the versions isn't known, "
        + "and an inferred step could bypass \(obstacle)."
    case .unknownVersionRefused(let nearest):
      "The store is of a model version that the catalogue doesn't have; the nearest is “\(nearest)”. "
        + "The store keeps its own model, but family.json5 says unknownVersions: \"refuse\"."
    case .unplacedMappingModels(let configuration, let models):
      "The store is of the configuration “\(configuration)”. It isn't known whether an inferred step would bypass "
        + "\(listed(models)), because one of their versions has no such configuration."
    case .mergedMappingModels(let source, let destination, let models):
      "The store is of several merged models (“\(source)”). The path to “\(destination)” leads through mapping "
        + "models of a single model, which can't be run on such a store: \(models.joined(separator: ", "))."
    case .notMergeable(let source, let destination, let error):
      "There is no path from “\(source)” to “\(destination)”: \(error)."
    }
  }

  /// What to do about it.
  public var advice: String {
    switch self {
    case .severalPaths(_, _, let paths):
      "Set “path” in family.json5, such as path: [\((paths.first ?? []).map { "\"\($0)\"" }.joined(separator: ", "))]."
    case .directionUnknown(let source, let destination, _):
      "Set “path” in family.json5: path: [\"\(source)\", \"\(destination)\"] for one inferred step, or the list of all "
        + "versions of the path."
    case .notInferable(_, _, let error, let backwards):
      "\(error.advice)."
        + (backwards.isEmpty
          ? ""
          : " There is \(listed(backwards)), which leads in the other direction: if it is meant for "
            + "this step, exchange its “source” and “destination”.")
    case .inferenceRefused: "Add mapping models, or set inference: \"allow\"."
    case .unknownPlace(_, let obstacle):
      "Add that version of the model to the family's folder. Or, if an inferred step may bypass \(obstacle) for "
        + "such stores, set unknownVersions: \"infer\" in family.json5."
    case .unknownVersionRefused: "Add that version of the model to the family's folder."
    case .unplacedMappingModels:
      "Add the configuration to that version, or remove from the folder the mapping models that aren't needed any more."
    case .mergedMappingModels: "Set “target” in family.json5 to versions that need no mapping model."
    case .notMergeable:
      "Set “target” in family.json5 to versions whose models agree."
    case .tooManyWays: "Set “path” in family.json5 to the list of versions of the path."
    }
  }
}
