package import DecantConsole
internal import DecantModel
internal import FileNames
internal import Foundation

/// `decant worker new DIR`: a package with policies, their models and tests.
package enum WorkerNewCommand {
  package static let command = Command(
    "worker new", summary: "Writes a Swift package for policies: a worker, its models and tests.",
    examples: [
      .init(line: "decant worker new notes-worker", meaning: "A sample: keywords of notes become topics."),
      .init(
        line: "decant worker new notes-worker --models Models",
        meaning: "A copy of the catalogue Models, its object classes, and unfinished policy classes."),
      .init(
        line: "decant worker new w --models N.xcdatamodeld --mapping N2.cdm --language-mode 5",
        meaning: "A copy of an Xcode project's models, in the language mode of older apps."),
    ],
    arguments: [
      .init(
        name: "DIR", kind: .folder,
        help: "The folder to create. The worker has the folder's name, with “-worker” at the end.")
    ],
    options: [
      .init(
        "models", "PATH", kind: .folder,
        help: "A catalogue, a family's folder, or a model bundle with all versions, to copy into the package."),
      .init(
        "mapping", "FILE", kind: .file,
        help: "With --models of one family: a mapping model to copy beside the family's models."),
      .init("language-mode", "N", kind: .number, help: "The language mode of Swift, 5 or 6; default 6."),
      .init(
        "decant", "PATH", kind: .folder,
        help: "A checkout of Decant, or the prefix where its libraries are installed; default: the libraries "
          + "beside this program, or below /usr/local or /usr."),
      .json, .quiet,
    ],
    notes: [
      "“scripts/install --libraries” of Decant installs the libraries; then only the worker is built. With a checkout, "
        + "the first build takes minutes.",
      "Nothing is written if DIR holds something, or if the catalogue has errors.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let languageMode = try arguments.number("language-mode", in: 5...6) ?? 6
    let models = arguments.value("models")
    if arguments.value("mapping") != nil, models == nil {
      throw CommandFailure(
        .usage, "“--mapping” needs the models of its versions.", advice: "Add --models PATH.")
    }
    let place = try DecantPlace.find(given: arguments.value("decant"), program: DecantPlace.ownProgram)
    let folder = try WorkerFolder(arguments[0])
    let package: WorkerPackage
    do throws(CommandFailure) {
      package = try WorkerPackage.write(
        to: folder, models: models, mapping: arguments.value("mapping"), place: place,
        languageMode: languageMode)
      try folder.finish()
    } catch {
      folder.discard()
      throw error
    }
    let warnings = [place.compilerWarning(compiler: .inPath())].compactMap(\.self) + package.remarks
    if !arguments.has("quiet") {
      for warning in warnings { console.say("decant: \(PlainText.of(warning))") }
    }
    if arguments.has("json") {
      console.print(package.json(at: arguments[0], place, warnings).lines)
    } else if !arguments.has("quiet") {
      console.print(package.lines(at: arguments[0]))
    }
    return ExitCode.success
  }
}
