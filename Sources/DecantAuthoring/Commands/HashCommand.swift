package import DecantConsole
internal import DecantModel

/// `decant hash MODEL`: the version hash of every entity.
package enum HashCommand {
  package static let command = Command(
    "hash", summary: "Prints the version hash of every entity of a model.",
    examples: [
      .init(line: "decant hash Notes.xcdatamodeld", meaning: "The current version's hashes."),
      .init(
        line: "decant hash \"Notes.xcdatamodeld#Notes 2\" --json",
        meaning: "The hashes of version “Notes 2” as JSON."),
    ],
    arguments: [ModelArgument.argument()], options: [.json],
    notes: [
      "The metadata of a store has the hashes of its version; “decant inspect” shows them. A model with equal hashes "
        + "is the store's version."
    ],
    run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let hashes = try ModelArgument(arguments[0], console).model.entityVersionHashes
    if arguments.has("json") {
      console.print(JSON.object(hashes.mapValues { .string($0.hexadecimal) }).lines)
    } else {
      var table = TextTable()
      for (name, hash) in hashes.sorted(by: { NameOrder.codePoints($0.key, $1.key) }) {
        table.add([name, hash.hexadecimal])
      }
      console.print(table.lines)
    }
    return ExitCode.success
  }
}
