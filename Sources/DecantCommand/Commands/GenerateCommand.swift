internal import DecantAuthoring
internal import DecantConsole
internal import DecantModel
internal import DecantStore
internal import DecantSynthesis
internal import FileNames
internal import Foundation

/// `decant generate MODEL --rows N --output STORE`: creates a store with invented objects.
enum GenerateCommand {
  static let command = Command(
    "generate", summary: "Writes a store of a model with generated objects, for tests.",
    examples: [
      .init(
        line: "decant generate Notes.xcdatamodeld#Notes --rows 1000000 --output big.sqlite",
        meaning: "A store of version “Notes” with a million objects."),
      .init(
        line: "decant generate Notes.xcdatamodeld --rows 500 --seed 7 --output small.sqlite",
        meaning: "Other objects; the same seed gives the same store."),
    ],
    arguments: [ModelArgument.argument()],
    options: [
      .init(
        "rows", "N", kind: .number, isRequired: true, help: "The number of objects, over all entities."),
      .init("output", "STORE", kind: .file, isRequired: true, help: "The store file to create."),
      .init(
        "seed", "S", kind: .number, help: "The seed of the random numbers; default 1."),
      .init(
        "extremes",
        help:
          "Some numbers and dates are the least or greatest of their type; no mapping to a smaller type can take them."
      ),
      .framework,
      .init(
        "reference", "STORE", kind: .file,
        help: "A genuine store of exactly this model version; it settles names that aren't known for certain."),
      .init("force", help: "Replaces an existing file at STORE, with the files that belong to it."),
      .json, .quiet,
    ],
    notes: [
      "Every entity and every type of attribute occurs, relationships are filled within their counts, and some values "
        + "are nil. Where the model states no limits, numbers are between 0 and 10,000, and dates between 2001 and the "
        + "middle of 2026. Large binary values are beside the store in .NAME_SUPPORT."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let rows = try arguments.number("rows", in: 0...SyntheticStore.rowLimit) ?? 0
    let seed = try arguments.number("seed", in: 0...Int.max) ?? 1
    let framework = try arguments.framework()
    let model = try ModelArgument(arguments[0], console)
    let evidence = try model.evidence(arguments.value("reference"))
    let place = try OutputPlace(
      arguments.value("output") ?? "",
      sources: [model.store?.source.path, arguments.value("reference")].compactMap(\.self),
      overwrites: arguments.has("force"))
    let folder = try WorkFolder(place.path + ".decant", source: StoreFiles(model.version.path), arguments: [])
    defer { folder.remove() }
    let result = StoreFiles(URL(fileURLWithPath: folder.result).path + "/" + place.files.name)
    let isQuiet = arguments.has("quiet")
    if !isQuiet { console.say("decant: Writing \(counted(rows, "row")).") }
    var display = TalkLine(console, isQuiet: isQuiet)
    defer { display.end() }
    let summary: SyntheticStore.Summary
    do {
      summary = try Interruption.watching { () throws(any Error) in
        try SyntheticStore.write(
          model: model.model, framework: framework, rows: rows, seed: UInt64(seed),
          hasExtremes: arguments.has("extremes"), to: result.store,
          evidence: evidence
        ) { progress in
          if Interruption.isAsked { stop(folder, console) }
          display.show(
            "\(grouped(progress.rowsDone)) of \(counted(progress.rowsTotal, "row")), "
              + (progress.table ?? "indexes"))
        }
      }
      try FileCopy.sync(result.store)
    } catch {
      throw failure(error, model)
    }
    try place.install(result, from: folder)
    display.end()
    if arguments.has("json") {
      console.print(try JSON(encoding: summary).lines)
    } else {
      console.print(lines(summary, place.path))
    }
    return ExitCode.success
  }

  /// Ends the process, because the generator can't be interrupted and an incomplete store is useless.
  private static func stop(_ folder: WorkFolder, _ console: Console) -> Never {
    folder.remove()
    console.say("decant: Stopped; all files were removed.")
    exit(ExitCode.tryAgain)
  }

  private static func failure(_ error: any Error, _ model: ModelArgument) -> CommandFailure {
    switch error {
    case let failure as CommandFailure: failure
    case let error as StoreError: CommandFailure(error)
    case let error as LayoutError: CommandFailure(error, model: model.text)
    case GeneratingError.cannotBeUnique, GeneratingError.noConcreteEntity:
      CommandFailure(.badData, "\(model.text): \(error)")
    default: CommandFailure(.fault, "\(model.text): \(error)")
    }
  }

  private static func lines(_ summary: SyntheticStore.Summary, _ path: String) -> [String] {
    var table = TextTable(rightAligned: [1], indent: 2)
    table.add(["Entity", "Rows"])
    for name in summary.entities.keys.sorted(by: NameOrder.ignoringCase) {
      table.add([name, grouped(summary.entities[name] ?? 0)])
    }
    var joins = TextTable(rightAligned: [1], indent: 2)
    joins.add(["Join table", "Rows"])
    for name in summary.joinRows.keys.sorted(by: Quantity.inNumericOrder) {
      joins.add([name, grouped(summary.joinRows[name] ?? 0)])
    }
    var status = stat()
    let bytes = stat(path, &status) == 0 ? Int(status.st_size) : 0
    var lines = ["Written: \(PrintedName.of(path)) (\(Quantity.bytes(bytes)))"]
    if summary.externalFiles > 0 {
      lines.append("Beside it: \(counted(summary.externalFiles, "file")) of external data")
    }
    lines += [""] + table.lines + (summary.joinRows.isEmpty ? [] : joins.lines)
    return lines + ReportText.warnings(summary.shortcomings.map { $0 + "." })
  }
}
