internal import DecantConsole
internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

/// `decant mapping --new OLD NEW`: the inferred mapping of two versions as a text to begin with.
package enum NewMapping {
  package static let ending = ".mapping.json5"

  static func run(_ arguments: Arguments, from old: String, _ console: Console) throws(CommandFailure) -> Int32
  {
    if arguments.has("json"), arguments.value("output") != nil {
      throw CommandFailure(
        .usage, "“--json” prints the text in JSON, and “--output” writes it to a file.",
        advice: "Leave out one of them.")
    }
    let output = arguments.value("output")
    let name = try output.map { path throws(CommandFailure) in try Self.name(of: path) }
    let pair = try ModelPair(old: old, new: arguments[0], console)
    let (from, to) = (pair.old.version.name, pair.new.version.name)
    let mapping = StartingMapping(
      named: name ?? "\(from) to \(to)", from: pair.old.model, to: pair.new.model,
      // A store isn't a version of the catalogue, so the text doesn't name the store.
      versions: (pair.old.store == nil ? from : nil, pair.new.store == nil ? to : nil), survey: pair.survey)
    let text: String
    do throws(MappingModelError) { text = try mapping.text() } catch {
      throw CommandFailure(.fault, "The text can't be read back: \(error.sentence).")
    }
    let changes = mapping.changes.all
    if arguments.has("json") {
      console.print(json(text, changes).lines)
    } else if let output {
      try write(text, to: output)
      console.print(["Written: \(PrintedName.of(output))"] + verdict(changes.count, pair) + next(output, pair))
    } else {
      console.print(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
      for line in verdict(changes.count, pair) { console.say("decant: \(line)") }
    }
    return ExitCode.success
  }

  /// The command line that writes the text for two models.
  package static func command(_ old: String, _ new: String, output: String) -> String {
    ShellQuoting.line(["decant", "mapping", "--new", old, new, "--output", output])
  }

  private static func verdict(_ open: Int, _ pair: ModelPair) -> [String] {
    if open > 0 {
      return [
        "\(counted(open, "change")) to decide: search for \(OpenChange.mark). Where no line fits, a policy can make "
          + "the objects: docs/policies.md."
      ]
    }
    return pair.old.model.entityVersionHashes == pair.new.model.entityVersionHashes
      ? [
        "The version hashes are equal: a store of one version is also a store of the other version. "
          + "No text is needed."
      ]
      : ["Nothing to decide: the step is inferred without this text, too."]
  }

  private static func next(_ output: String, _ pair: ModelPair) -> [String] {
    func whole(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    let family = PathText.folder(of: output)
    guard pair.new.store == nil, whole(pair.new.folder ?? ".") == whole(family) else {
      return ["Put the file into the family's folder, then run “decant check”."]
    }
    return ["", "Next:", "  " + ShellQuoting.line(["decant", "check", family])]
  }

  private static func json(_ text: String, _ changes: [OpenChange]) -> JSON {
    .object([
      "text": .string(text),
      "open": .array(
        changes.map { change in
          .object([
            "problem": .string(change.problem),
            "choices": .array(
              change.choices.map { .object(["lines": .strings($0.lines), "meaning": .string($0.meaning)]) }),
          ])
        }),
    ])
  }

  private static func name(of path: String) throws(CommandFailure) -> String {
    let file = PathText.name(of: path).text
    guard file.hasSuffix(ending), file.utf8.count > ending.utf8.count else {
      throw CommandFailure(
        .usage, "\(path) isn't the name of a mapping model as text.",
        advice: "End the name with \(ending), so that the catalogue reads the file.")
    }
    return String(file.dropLast(ending.count))
  }

  private static func write(_ text: String, to path: String) throws(CommandFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      if errno == EEXIST {
        throw CommandFailure(
          .cantCreate, "\(path) exists already.", advice: "It isn't replaced: name another file, or remove it.")
      }
      throw CommandFailure(errno: errno, path, "created")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    do { try handle.write(contentsOf: Data(text.utf8)) } catch {
      unlink(path)
      throw CommandFailure(.cantCreate, "\(path) can't be written: \(error.localizedDescription)")
    }
  }
}
