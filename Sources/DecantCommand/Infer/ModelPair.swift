internal import DecantMapping
internal import DecantModel

/// Two versions of a model named on the command line.
struct ModelPair {
  let old: ModelArgument
  let new: ModelArgument

  init(_ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    old = try ModelArgument(arguments[0], console)
    new = try ModelArgument(arguments[1], console)
  }

  /// The inferred mapping and every change that can't be inferred, with the same renaming identifiers.
  var survey: (mapping: InferredMapping, refusals: [InferenceError]) {
    InferredMapping.survey(
      from: old.model, to: new.model, history: RenameHistory(of: old.siblings + new.siblings))
  }

  /// The mapping from old to new, with the renaming identifiers of all versions of both bundles.
  func inferred() -> Result<InferredMapping, InferenceError> {
    do {
      return .success(
        try InferredMapping.make(
          from: old.model, to: new.model, history: RenameHistory(of: old.siblings + new.siblings)))
    } catch {
      return .failure(error)
    }
  }
}
