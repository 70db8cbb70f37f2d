internal import DecantConsole
internal import DecantMigration
internal import DecantStore
internal import DecantVerification
internal import Foundation

/// `decant verify SOURCE DESTINATION --models DIR`: compares a store with its migrated store.
enum VerifyCommand {
  static let command = Command(
    "verify", summary: "Compares a store with its migrated store.",
    examples: [
      .init(
        line: "decant verify Notes.sqlite Notes-new.sqlite --models Models",
        meaning: "Schema, metadata, rows, values, relationships and their order.")
    ],
    arguments: [
      .init(name: "SOURCE", kind: .file, help: "The store before the migration."),
      .init(name: "DESTINATION", kind: .file, help: "The store that was written."),
    ],
    options: [
      .models,
      .init(
        "to", "VERSION", kind: .asked(.versions),
        help: "The version that DESTINATION should have; default: the one that it has."),
      .family,
      .init(
        "associations", "FILE", kind: .file,
        help:
          "The file that “decant migrate --keep-associations” wrote, for steps with mapping models; default: "
          + "the one beside DESTINATION."), .json,
      .init("quiet", letter: "q", help: "Prints only differences and errors: nothing if everything is equal."),
    ],
    notes: [
      "Exit code 0 if everything that both versions have is equal, 65 if something differs. Neither store is "
        + "changed. The comparison doesn't use the migration's report.",
      "For steps with mapping models, filters and expressions are evaluated again, and the results are compared with "
        + "associations and destination. Where possible, results are computed in another way than in the migration.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let source = try InputFile.checkStore(arguments[0])
    let destination = try InputFile.checkStore(arguments[1])
    let models = arguments.value("models") ?? ""
    try InputFile.checkFolder(models, what: "catalogue")
    let associations = try arguments.value("associations").map { path throws(CommandFailure) in
      URL(fileURLWithPath: try InputFile.checkStore(path))
    }
    let scratch = try ScratchPlace.forCommand()
    defer { scratch.remove() }
    var display = TalkLine(console, isQuiet: arguments.has("quiet"))
    let report: Verification.Report
    do {
      defer { display.end() }
      report = try Verification.run(
        source: URL(fileURLWithPath: source), destination: URL(fileURLWithPath: destination),
        catalogue: URL(fileURLWithPath: models), family: arguments.value("family"),
        target: arguments.value("to"), associations: associations,
        scratch: URL(fileURLWithPath: scratch.path)
      ) { progress in
        display.show("comparing \(progress.subject), \(progress.done + 1) of \(progress.total)")
      }
    } catch {
      throw CommandFailure(error)
    }
    let width = min(console.output.width, 100)
    let lines =
      if arguments.has("json") {
        try JSON(encoding: report).lines
      } else {
        (arguments.has("quiet") ? report.differenceLines(width: width) : report.lines(width: width)).map(
          PlainText.of)
      }
    if !lines.isEmpty { console.print(lines) }
    return report.isEqual ? ExitCode.success : ExitCode.badData
  }
}
