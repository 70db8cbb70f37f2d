package import DecantConsole
internal import DecantMapping
internal import DecantModel

/// `decant diff MODEL MODEL`: shows the differences between two versions, and which differences need a mapping model.
package enum DiffCommand {
  package static let command = Command(
    "diff", summary: "Shows the differences between two versions of a model, and which need a mapping model.",
    examples: [
      .init(
        line: "decant diff \"Notes.xcdatamodeld#Notes\" \"Notes.xcdatamodeld#Notes 2\"",
        meaning: "What “Notes 2” adds, removes, renames and changes.")
    ],
    arguments: [ModelArgument.argument("OLD-MODEL"), ModelArgument.argument("NEW-MODEL")], options: [.json],
    notes: [
      "Each line begins with a mark: + added, - removed, ~ renamed or changed. The word after the mark is the effect "
        + "on stores. “none”: stores don't change. “light”: a mapping is inferred; “decant infer” shows it. “heavy”: a "
        + "mapping model is needed."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let pair = try ModelPair(arguments, console)
    let difference = ModelDifference(from: pair.old.model, to: pair.new.model, survey: pair.survey)
    let isSame = pair.old.model.entityVersionHashes == pair.new.model.entityVersionHashes
    guard !arguments.has("json") else {
      console.print(
        JSON.object([
          "changes": difference.json, "otherChanges": difference.othersJSON, "equalHashes": .boolean(isSame),
          "inferable": .boolean(difference.refusals.isEmpty),
          "nextCommand": .optional(difference.wantsText ? command(for: pair) : nil),
          "refusal": .optional(difference.refusals.first?.description), "refusals": difference.refusalsJSON,
        ]).lines)
      return ExitCode.success
    }
    let width = min(console.output.width, 100)
    var lines = difference.lines(coloured: console.usesColour(on: console.output), width: width)
    if !lines.isEmpty { lines.append("") }
    lines += verdict(isSame, difference).map { TextWrap.wrap(PlainText.of($0), width: width) }
    if difference.wantsText {
      lines.append(
        TextWrap.wrap(
          "This command writes a mapping model, with choices for each change and loss:", width: width))
      // A command isn't wrapped, so that it can be copied.
      lines.append("  " + PlainText.of(command(for: pair)))
    }
    console.print(lines)
    return ExitCode.success
  }

  private static func command(for pair: ModelPair) -> String {
    NewMapping.command(
      pair.old.text, pair.new.text,
      output: (pair.new.folder.map { "\($0)/" } ?? "") + pair.new.version.name + NewMapping.ending)
  }

  private static func verdict(_ isSame: Bool, _ difference: ModelDifference) -> [String] {
    let refusals = difference.refusals
    guard refusals.isEmpty else {
      var seen: Set<String> = []
      var advice = refusals.map { "\($0.advice)." }.filter { seen.insert($0).inserted }
      // If one change needs a mapping model, advice for the other changes doesn't help.
      let only = "Write a mapping model for these versions."
      if advice.contains(only) { advice = [only] }
      return ["Needs a mapping model: \(counted(refusals.count, "change")) can't be inferred."] + advice
    }
    guard isSame else {
      let condition =
        switch (difference.conditions.contains(.valuesFit), difference.conditions.contains(.noneEqual)) {
        case (false, false): ""
        case (true, false): "; a store with values that don't fit is refused"
        case (false, true): "; a store is refused if values that must be unique are equal"
        case (true, true):
          "; a store is refused if values don't fit, or if values that must be unique are equal"
        }
      return [
        "A mapping can be inferred\(condition).",
        difference.losesValues
          ? "Values and objects marked as lost are removed. To keep some of them, write a mapping model that reads "
            + "them."
          : "No mapping model has to be written.",
      ]
    }
    return [
      difference.isEmpty
        ? "The models are equal."
        : "The version hashes are equal: a store of one version is also a store of the other version."
    ]
  }
}
