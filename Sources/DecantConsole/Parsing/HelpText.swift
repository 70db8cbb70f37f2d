internal import DecantMigration

/// The output of `--help`, made from the commands' descriptions.
package enum HelpText {
  /// The help of the program itself, with all commands.
  package static func overview(_ groups: [(title: String, commands: [Command])], width: Int) -> String {
    let commands = groups.flatMap(\.commands)
    let column = commands.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0
    let examples = [
      Command.Example(
        line: "decant plan Notes.sqlite --models Models", meaning: "Shows what a migration would do and lose."),
      Command.Example(
        line: "decant migrate Notes.sqlite --output Notes-new.sqlite --models Models",
        meaning: "Migrates a store to the newest version of its model."),
    ].filter { example in commands.contains { example.line.hasPrefix("decant \($0.name) ") } }
    var sections = [
      TextWrap.wrap("Decant migrates Core Data stores to newer versions of their models.", width: width),
      "Examples:\n" + text(of: examples, width: width),
    ]
    sections += groups.map { group in
      "\(group.title):\n"
        + definitions(group.commands.map { ($0.name, $0.summary) }, width: width, column: column)
    }
    sections += [
      "Options:\n"
        + definitions(
          [
            ("-h, --help", "Shows this help; “decant COMMAND --help” shows a command's help."),
            ("--version", "Shows Decant's version."),
          ],
          width: width)
    ]
    sections.append(
      "Exit codes:\n"
        + definitions(
          [
            ("0", "Done."), ("64", "Wrong use."),
            ("65", "A bad store or model, or a difference that “verify” found."),
            ("66", "No such file or job."), ("69", "No daemon runs."), ("70", "A fault of Decant."),
            ("73, 74", "The output can't be made, or reading or writing failed."),
            ("75", "Stopped, or not possible now: try again."), ("77", "No permission."),
            ("78", "A fault in the catalogue, a worker or the daemon's configuration."),
          ], width: width))
    return sections.joined(separator: "\n\n") + "\n"
  }

  package static func help(_ command: Command, width: Int) -> String {
    var sections = [
      TextWrap.wrap(command.summary, width: width),
      "Examples:\n" + text(of: command.examples, width: width),
      "Usage:\n  " + TextWrap.wrap(command.usage, width: width, indent: 6, first: 2),
    ]
    if !command.arguments.isEmpty {
      sections.append("Arguments:\n" + definitions(command.arguments.map { ($0.name, $0.help) }, width: width))
    }
    sections.append("Options:\n" + definitions(command.options.map { (term($0), $0.help) }, width: width))
    sections += command.notes.map { TextWrap.wrap($0, width: width) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  package static var version: String { "decant \(Migration.decantVersion)" }

  private static func term(_ option: Command.Option) -> String {
    (option.letter.map { "-\($0), " } ?? "") + "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
  }

  private static func text(of examples: [Command.Example], width: Int) -> String {
    examples.map { "  \($0.line)\n      \(TextWrap.wrap($0.meaning, width: width, indent: 6, first: 6))" }
      .joined(separator: "\n")
  }

  /// - Parameter column: The least width of the terms.
  private static func definitions(_ items: [(term: String, text: String)], width: Int, column: Int = 0)
    -> String
  {
    let longest = max(column, items.map { DisplayWidth.columns(of: $0.term) }.max() ?? 0)
    let column = longest + 4
    return items.map { item in
      "  " + DisplayWidth.pad(item.term, to: longest) + "  "
        + TextWrap.wrap(item.text, width: width, indent: column, first: column)
    }.joined(separator: "\n")
  }
}
