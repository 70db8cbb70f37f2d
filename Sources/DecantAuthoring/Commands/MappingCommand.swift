package import DecantConsole
internal import DecantMapping
internal import DecantModel
internal import Foundation

/// `decant mapping FILE`: a mapping model as text; `decant mapping --new OLD NEW`: a new one.
package enum MappingCommand {
  package static let command = Command(
    "mapping", summary: "Prints a mapping model as text, or writes a new one for two versions.",
    examples: [
      .init(
        line: "decant mapping V2toV3.xcmappingmodel",
        meaning:
          "To leave Xcode, write the text to V2toV3.mapping.json5 in place of the old file."),
      .init(
        line: "decant mapping V2toV3.cdm --models Models",
        meaning: "A compiled mapping model. The text leaves out what follows from rules."),
      .init(
        line: "decant mapping --new N.momd#N1 N.momd#N2 --output N2.mapping.json5",
        meaning:
          "The inferred mapping as a text. Each change that can't be inferred has a \(OpenChange.mark) and lines to "
          + "choose from."
      ),
    ],
    arguments: [
      .init(
        name: "FILE", kind: .file,
        help: "An .xcmappingmodel, a .cdm or a .mapping.json5; with --new the model of the new version.")
    ],
    options: [
      .init(
        "new", "OLD", kind: .model,
        help:
          "Writes a new text that maps the model OLD to the model FILE. Name both models as for “decant diff”."
      ),
      .init(
        "output", "PATH", kind: .file,
        help: "With --new, the file to create, which ends with .mapping.json5; default: standard output."),
      .init(
        "models", "DIR", kind: .folder,
        help:
          "A catalogue that has the two versions; default: the models in the file's folder, or the file's own "
          + "copies of the models."), .json,
    ],
    notes: [
      "Attributes and relationships that follow from renaming identifiers and names aren't written. Standard error lists "
        + "parts that don't fit the two versions, and ignored parts. It also says if a text has comments, which aren't "
        + "printed.",
      "Exit code 0, or 65 if the mapping model has an error, so that nothing can be migrated with it. The output is "
        + "the same.",
      "A text of --new without a \(OpenChange.mark) does what the inferred step does. The renames of the family.json5 "
        + "beside the new model are used.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    if let old = arguments.value("new") {
      guard arguments.value("models") == nil else {
        throw CommandFailure(
          .usage, "“--new” takes both models from the command line.", advice: "Leave out “--models”.")
      }
      return try NewMapping.run(arguments, from: old, console)
    }
    guard arguments.value("output") == nil else {
      throw CommandFailure(
        .usage, "“--output” belongs to “--new”.", advice: "To keep the text, write standard output to a file.")
    }
    let file = try MappingArgument(arguments[0], models: arguments.value("models"))
    for warning in file.reading.warnings { console.say("decant: \(PlainText.of("\(file.path): \(warning)"))") }
    for warning in file.warnings { console.say("decant: \(PlainText.of(warning))") }
    try file.checkWhole()
    let model, written: MappingModel
    do throws(MappingModelError) {
      (model, written) = (try file.compiled(), try file.compiled(isComplete: false))
    } catch {
      throw CommandFailure(error)
    }
    let findings = file.findings(in: model)
    for (place, finding) in findings.enumerated() {
      // Each call reads the file again, so only the first 50 findings have a line.
      let found = place < 50 ? file.reading.place(of: finding) : nil
      console.say(
        "decant: \(finding.severity.rawValue): \(PlainText.of(finding.description(line: found?.line)))")
      for line in found?.excerpt ?? [] { console.say(PlainText.of(line)) }
    }
    if arguments.has("json") {
      console.print(JSON(model, findings, of: file.reading).lines)
    } else {
      let text = MappingModelText.text(
        of: written, from: file.source, to: file.destination, removing: file.leftBehind(by: written))
      if let sentence = lost(try file.comments(), in: text) {
        console.say("decant: \(PlainText.of("\(file.path): \(sentence)"))")
      }
      console.print(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    }
    return findings.contains { $0.severity == .error } ? ExitCode.badData : ExitCode.success
  }

  private static func lost(_ comments: [String], in text: String) -> String? {
    let kept = Set(JSON5Value.comments(in: Data(text.utf8)))
    let lost = comments.filter { !kept.contains($0) }
    guard let first = lost.first else { return nil }
    let start = TextWrap.shortened(first.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: 60)
    return lost.count == 1
      ? "its comment “\(start)” is not in the output."
      : "\(grouped(lost.count)) comments are not in the output; the first is “\(start)”."
  }
}
