internal import DecantStore

/// `decant inspect STORE`: what a store says about itself.
enum InspectCommand {
  static let command = Command(
    "inspect", summary: "Shows what a store holds, who wrote it and what is odd about it.",
    examples: [
      .init(line: "decant inspect Notes.sqlite", meaning: "Entities, rows, metadata and oddities.")
    ],
    arguments: [.init(name: "STORE", kind: .file, help: "The store file, with its -wal beside it.")],
    options: [.json], notes: ["The store isn't changed, and needs no model."], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let store = try OpenedStore(arguments[0])
    let inspection = try StoreInspection(store.source)
    console.print(
      arguments.has("json") ? inspection.json(model: .null).lines : inspection.lines(model: []))
    return ExitCode.success
  }
}
