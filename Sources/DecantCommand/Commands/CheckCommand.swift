internal import DecantCatalogue
internal import DecantConsole
internal import DecantMigration
internal import DecantWorker
internal import Foundation

/// `decant check CATALOGUE`: checks a catalogue without a store.
enum CheckCommand {
  static let command = Command(
    "check", summary: "Checks a catalogue before it is used.",
    examples: [
      .init(
        line: "decant check Models", meaning: "Every family: versions, mapping models, paths to the target."),
      .init(line: "decant check Models --strict", meaning: "In continuous integration: warnings fail, too."),
    ],
    arguments: [
      .init(
        name: "CATALOGUE", kind: .folder,
        help: "A folder that holds one folder for each model family; or one family's folder or model bundle.")
    ],
    options: [
      .family,
      .init(
        "worker", "PATH", kind: .file,
        help: "The worker to ask for policy classes and functions, in place of the one that family.json5 names."
      ),
      .init("strict", help: "Ends with 78 if there are warnings, too."), .json,
    ],
    notes: [
      "Exit code 0 if there is no error, 78 if a family has one: its stores would be refused or wait. Notes don't "
        + "change the exit code."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = arguments[0]
    try InputFile.checkFolder(path, what: "catalogue")
    let report: CatalogueReport
    do throws(CatalogueError) {
      report = try CatalogueCheck.report(
        at: URL(fileURLWithPath: path), family: arguments.value("family"),
        classes: { WorkerQuestion.classes(of: arguments.value("worker").map(WorkerQuestion.path) ?? $0) })
    } catch {
      switch error {
      case .notFound: throw CommandFailure(.noSuchFile, "\(error)")
      case .unreadable: throw CommandFailure(.catalogueUnreadable, "\(error)")
      }
    }
    guard !report.families.isEmpty else {
      guard let wanted = arguments.value("family") else {
        throw CommandFailure(
          .catalogueUnreadable, "\(path) holds no family.",
          advice: "Name the folder that holds one folder for each family.")
      }
      throw CommandFailure(.unknownFamily, "\(path) has no family “\(wanted)”.")
    }
    if arguments.has("json") {
      console.print(try JSON(encoding: report).lines)
    } else {
      console.print(CatalogueText.lines(report))
    }
    let isWell = report.count(.error) == 0 && (!arguments.has("strict") || report.count(.warning) == 0)
    return isWell ? ExitCode.success : ExitCode.configuration
  }
}
