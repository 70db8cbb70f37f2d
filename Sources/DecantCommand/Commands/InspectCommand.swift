internal import DecantConsole
internal import DecantStore

/// `decant inspect STORE`: shows the content of a store.
enum InspectCommand {
  static let command = Command(
    "inspect", summary: "Shows a store's content, its framework and its oddities.",
    examples: [
      .init(line: "decant inspect Notes.sqlite", meaning: "Entities, rows, metadata and oddities."),
      .init(
        line: "decant inspect Notes.sqlite --models Models",
        meaning: "The same, and which version of which model the store has."),
    ],
    arguments: [.init(name: "STORE", kind: .file, help: "The store file, with its -wal beside it.")],
    options: [
      .init(
        "models", "DIR", kind: .folder,
        help: "A catalogue; the output then also has the family and the version of the store."), .json,
    ],
    notes: [
      "The store isn't changed, and needs no model; its own model cache is used if it has one. Every page is checked, "
        + "which takes time for a large store.",
      "Oddities have three groups: refusals (they prevent a migration), warnings, and notes (harmless "
        + "facts). decant(1) lists all oddities with their words in --json.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    if let inspection = try XMLInspection(try InputFile.checkStore(arguments[0])) {
      return try show(inspection, arguments, console)
    }
    let store = try OpenedStore(arguments[0], needsVersionHashes: false)
    var version: StoreVersion?
    if let models = arguments.value("models") {
      version = try StoreVersion(store.source, catalogue: models)
    }
    let inspection = try StoreInspection(store.source, model: version?.model)
    console.print(
      arguments.has("json")
        ? inspection.json(model: version?.json ?? .null).lines
        : inspection.lines(
          model: version?.lines ?? [], width: min(console.output.width, 100),
          isWhole: !console.output.isTerminal))
    return ExitCode.success
  }

  private static func show(
    _ inspection: XMLInspection, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> Int32 {
    var version: StoreVersion?
    if let models = arguments.value("models") { version = try inspection.version(in: models) }
    console.print(
      arguments.has("json")
        ? inspection.json(model: version?.json ?? .null).lines
        : inspection.lines(
          model: version?.lines ?? [], width: min(console.output.width, 100),
          isWhole: !console.output.isTerminal))
    return ExitCode.success
  }
}
