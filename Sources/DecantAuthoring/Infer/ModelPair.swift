internal import DecantConsole
internal import DecantMapping
internal import DecantModel

/// Two versions of a model, as the command line names them.
struct ModelPair {
  let old: ModelArgument
  let new: ModelArgument
  /// The renames that the new model's family states.
  let renames: Renames

  init(_ arguments: Arguments, _ console: Console) throws(CommandFailure) {
    try self.init(old: arguments[0], new: arguments[1], console)
  }

  init(old: String, new: String, _ console: Console) throws(CommandFailure) {
    self.old = try ModelArgument(old, console)
    self.new = try ModelArgument(new, console)
    renames = FamilyRenames.of(self.new, console)
  }

  /// The inferred mapping, and every change that can't be inferred.
  var survey: (mapping: InferredMapping, refusals: [InferenceError]) {
    InferredMapping.survey(
      from: old.model, to: new.model, renames: renames, history: RenameHistory(of: old.siblings + new.siblings))
  }

  func inferred() -> Result<InferredMapping, InferenceError> {
    do {
      return .success(
        try InferredMapping.make(
          from: old.model, to: new.model, renames: renames,
          history: RenameHistory(of: old.siblings + new.siblings)))
    } catch {
      return .failure(error)
    }
  }
}
