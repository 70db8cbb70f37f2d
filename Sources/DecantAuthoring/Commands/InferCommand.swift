package import DecantConsole
internal import DecantMapping

/// `decant infer MODEL MODEL`: shows the mapping that lightweight migration infers for two versions.
package enum InferCommand {
  package static let command = Command(
    "infer", summary: "Shows the mapping that can be inferred between two versions of a model.",
    examples: [
      .init(
        line: "decant infer \"Notes.xcdatamodeld#Notes\" \"Notes.xcdatamodeld#Notes 2\"",
        meaning: "The new place of each entity and property, and the losses.")
    ],
    arguments: [ModelArgument.argument("OLD-MODEL"), ModelArgument.argument("NEW-MODEL")], options: [.json],
    notes: [
      "If no mapping can be inferred, the command gives the reason and exit code 65: a mapping model is needed."
    ],
    run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let pair = try ModelPair(arguments, console)
    switch pair.inferred() {
    case .success(let mapping):
      let text = InferredMappingText(
        mapping: mapping, source: pair.old.model, destination: pair.new.model,
        width: min(console.output.width, 100))
      console.print(arguments.has("json") ? JSON(mapping).lines : text.lines)
      return ExitCode.success
    case .failure(let error):
      throw CommandFailure(
        .notInferable, "No mapping can be inferred: \(error.change).", advice: "\(error.advice).",
        coreDataCode: 134_190)
    }
  }
}
