internal import DecantConsole
internal import DecantEngine
internal import DecantMigration
internal import DecantModel
internal import DecantPasses
internal import DecantStore
internal import FileNames

/// `decant associations FILE`: shows which source object became which destination object.
enum AssociationsCommand {
  static let command = Command(
    "associations", summary: "Shows which source object became which destination object in a migration.",
    examples: [
      .init(
        line: "decant associations Notes-new.associations.sqlite",
        meaning: "The steps and entity mappings, with the number of associations of each."),
      .init(
        line: "decant associations Notes-new.associations.sqlite --uris",
        meaning: "The URIs of each association's source object and destination object, separated by a tab."),
    ],
    arguments: [
      .init(
        name: "FILE", kind: .file,
        help: "The file that “decant migrate --keep-associations” wrote beside its output."
      )
    ],
    options: [
      .init(
        "uris",
        help:
          "Prints a line for every association: the source object's URI, a tab, and the destination object's URI."
      ),
      .json,
    ],
    notes: [
      "The file is an SQLite database for any program; docs/associations.md explains its tables. For a chain of steps, "
        + "--uris shows the first source and the last destination."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = try InputFile.checkStore(arguments[0])
    do {
      let file = try AssociationFile(path)
      if arguments.has("uris") {
        try printURIs(file, console)
      } else {
        console.print(arguments.has("json") ? json(file).lines : lines(file))
      }
    } catch {
      throw CommandFailure(
        .badData, "\(error)",
        advice: "Name the file that “decant migrate --keep-associations” wrote beside its output.")
    }
    return ExitCode.success
  }

  private static func printURIs(_ file: AssociationFile, _ console: Console) throws {
    let whole = file.steps.map(\.number).min()
    for entry in file.mappings where entry.step == whole {
      var lines: [String] = []
      try file.associations(of: entry) { source, destination in
        lines.append(PlainText.of(file.uri(source)) + "\t" + PlainText.of(file.uri(destination)))
        if lines.count >= 1000 {
          console.print(lines)
          lines = []
        }
        return console.outputFailure == nil
      }
      if !lines.isEmpty { console.print(lines) }
    }
  }

  private static func lines(_ file: AssociationFile) -> [String] {
    var lines = ["Store \(PrintedName.of(file.store)), \(PlainText.of(file.uuid))"]
    for step in file.steps {
      let versions =
        "“\(PlainText.of(step.sourceVersion))” to “\(PlainText.of(step.destinationVersion))”"
      lines += ["", step.number == 0 ? "The whole path, \(versions)" : "Step \(step.number), \(versions)"]
      var table = TextTable(rightAligned: [3, 4], indent: 2)
      table.add(["Entity mapping", "Source", "Destination", "Associations", "Runs", "Made"])
      for entry in file.mappings where entry.step == step.number {
        let mapping = entry.mapping
        table.add([
          mapping.name, mapping.source, mapping.destination, grouped(entry.associations),
          grouped(entry.runs), words(mapping),
        ])
      }
      lines += table.lines
    }
    return lines
  }

  private static func words(_ mapping: KeptMapping) -> String {
    let way =
      switch mapping.way {
      case .inferred: "inferred"
      case .set: "as a set"
      case .rows: "row by row"
      case .chain: "over all steps"
      }
    return mapping.policy.map { "\(way), by \($0)" } ?? way
  }

  private static func json(_ file: AssociationFile) -> JSON {
    .object([
      "store": .string(file.store), "storeUUID": .string(file.uuid),
      "decantVersion": .string(file.decantVersion),
      "steps": .array(
        file.steps.map { step in
          .object([
            "step": .integer(step.number), "sourceVersion": .string(step.sourceVersion),
            "destinationVersion": .string(step.destinationVersion), "now": .real(step.time),
            "entityMappings": .array(
              file.mappings.filter { $0.step == step.number }.map { entry in
                .object([
                  "mapping": .integer(entry.mapping.number), "name": .string(entry.mapping.name),
                  "pass": .integer(entry.mapping.pass), "passName": .string(entry.mapping.passName),
                  "source": .string(entry.mapping.source), "destination": .string(entry.mapping.destination),
                  "way": .string(entry.mapping.way.rawValue), "policy": .optional(entry.mapping.policy),
                  "runs": .integer(entry.runs), "associations": .integer(entry.associations),
                ])
              }),
          ])
        }),
    ])
  }
}
