internal import DecantMapping
internal import DecantModel

/// `decant diff MODEL MODEL`: what differs between two versions.
enum DiffCommand {
  static let command = Command(
    "diff", summary: "Shows what differs between two versions of a model.",
    examples: [
      .init(
        line: "decant diff \"Notes.xcdatamodeld#Notes\" \"Notes.xcdatamodeld#Notes 2\"",
        meaning: "What “Notes 2” adds, removes, renames and changes.")
    ],
    arguments: [ModelArgument.argument("OLD-MODEL"), ModelArgument.argument("NEW-MODEL")], options: [.json],
    notes: [
      "Marks: + added, - removed, ~ renamed or changed. The last line says whether a mapping can be inferred; "
        + "“decant infer” shows it."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let pair = try ModelPair(arguments, console)
    let inferred = pair.inferred()
    let mapping = try? inferred.get()
    let difference = ModelDifference(from: pair.old.model, to: pair.new.model, mapping: mapping?.mappingModel)
    let hashes = (pair.old.model.entityVersionHashes, pair.new.model.entityVersionHashes)
    guard !arguments.has("json") else {
      var entries: [String: JSON] = [
        "changes": difference.json, "equalHashes": .boolean(hashes.0 == hashes.1),
        "inferable": .boolean(mapping != nil), "refusal": .null,
      ]
      if case .failure(let error) = inferred { entries["refusal"] = .string("\(error)") }
      console.print(JSON.object(entries).lines)
      return ExitCode.success
    }
    let width = min(console.output.width, 100)
    var lines = difference.lines(coloured: console.usesColour(on: console.output), width: width)
    if !lines.isEmpty { lines.append("") }
    lines.append(TextWrap.wrap(verdict(hashes.0 == hashes.1, difference, inferred), width: width))
    console.print(lines)
    return ExitCode.success
  }

  private static func verdict(
    _ isSame: Bool, _ difference: ModelDifference, _ inferred: Result<InferredMapping, InferenceError>
  ) -> String {
    if isSame {
      return difference.entities.isEmpty
        ? "The models are equal." : "The version hashes are equal: stores of one are stores of the other."
    }
    switch inferred {
    case .success: return "A mapping can be inferred."
    case .failure(let error):
      return "Needs a mapping model: \(PlainText.of(error.change)). \(PlainText.of(error.advice))."
    }
  }
}
