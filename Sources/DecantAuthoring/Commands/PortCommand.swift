package import DecantConsole
internal import SwiftPorting

/// `decant port DIR`: the sources of a worker from an app's policies, migrators and managed object classes.
package enum PortCommand {
  package static let command = Command(
    "port", summary: "Copies an app's policies and their classes for a worker on Linux, and adapts them.",
    examples: [
      .init(line: "decant port Notes/Sources", meaning: "Shows what would be done, and what is left to do."),
      .init(
        line: "decant port Notes/Sources --output notes-worker/Sources/notes-worker",
        meaning: "Writes the files for the worker's package."),
    ],
    arguments: [
      .init(name: "DIR", kind: .folder, help: "The folder with the app's Swift files; it is never changed.")
    ],
    options: [
      .init(
        "output", "DIR", kind: .folder, help: "The folder for the files; it is created if it doesn't exist."),
      .init("force", help: "Replaces existing files."),
      .json,
      .init("quiet", letter: "q", help: "Prints only what is left to do, and errors."),
    ],
    notes: [
      "The command removes attributes such as @objc, writes #keyPath(…) as a text, and @NSManaged members as computed "
        + "properties and methods. Code that you have to change is listed as “left”, with the line and what to do.",
      "Files with policies, migrators, managed object classes and value transformers are copied; tests and symbolic "
        + "links aren't. The report names each Swift file that isn't copied, and why.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = arguments[0]
    try InputFile.checkFolder(path, what: "folder with the app's Swift files")
    let place = try arguments.value("output").map { output throws(CommandFailure) in
      try PortPlace(output, source: path)
    }
    let folder: AppFolder
    do {
      folder = try AppFolder(path)
    } catch {
      throw CommandFailure(.badData, error.description)
    }
    let plan = PortPlan(folder.sources)
    guard !plan.files.isEmpty else {
      throw CommandFailure(
        .badData,
        "\(path) has no Swift file with a policy, a migrator, a managed object class or a value transformer.",
        details: PortText.skipped(folder.skipped, tests: plan.tests),
        advice: "Name the folder with the app's sources.")
    }
    try place?.write(plan.files, overwrites: arguments.has("force"))
    let output = PortOutput(plan: plan, skipped: folder.skipped, place: place?.path)
    console.print(
      arguments.has("json")
        ? output.json.lines
        : PortText(output, width: console.output.width).lines(isQuiet: arguments.has("quiet")))
    return ExitCode.success
  }
}
