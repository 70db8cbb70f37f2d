internal import DecantMapping
internal import Foundation

/// `decant mapping FILE`: a mapping model as text.
enum MappingCommand {
  static let command = Command(
    "mapping", summary: "Prints a mapping model as text.",
    examples: [
      .init(
        line: "decant mapping V2toV3.xcmappingmodel",
        meaning:
          "How a mapping model leaves Xcode: put the text into V2toV3.mapping.json5, in place of the old file."),
      .init(
        line: "decant mapping V2toV3.cdm --models Models",
        meaning: "A compiled mapping model, with the names of its versions and without what the rules say."),
    ],
    arguments: [
      .init(name: "FILE", kind: .file, help: "An .xcmappingmodel, a .cdm or a .mapping.json5.")
    ],
    options: [
      .init(
        "models", "DIR", kind: .folder,
        help:
          "A catalogue that has the two versions; without it the file's own copies of the models are taken, or the "
          + "models in the file's own folder."), .json,
    ],
    notes: [
      "Attributes and relationships that renaming identifiers and names map anyway aren't written. What doesn't fit the "
        + "two versions, and what the reader left aside, is told on standard error."
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let file = try MappingArgument(arguments[0], models: arguments.value("models"))
    for warning in file.reading.warnings { console.say("decant: \(PlainText.of("\(file.path): \(warning)"))") }
    let model: MappingModel
    do throws(MappingModelError) {
      model = try file.compiled()
    } catch {
      throw CommandFailure(error)
    }
    let findings = file.findings(in: model)
    for finding in findings {
      console.say("decant: \(finding.severity.rawValue): \(PlainText.of(finding.description))")
    }
    if arguments.has("json") {
      console.print(JSON(model, findings).lines)
    } else {
      let text = MappingModelText.text(of: model, from: file.source, to: file.destination)
      console.print(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    }
    return ExitCode.success
  }
}
