package import DecantStore

/// One command as data.
///
/// Help, error messages and completions are made from it. `ManualPageTests` compares it with decant(1).
package struct Command: Sendable {
  /// What an argument or a value names; completions depend on it.
  package enum Kind: Sendable, Hashable {
    /// An `.xcdatamodel` or `.mom`, a bundle, `BUNDLE#VERSION`, or a store that contains its model.
    case model
    case file
    case folder
    case number
    case text
    /// One of a few words.
    case words([String])
    /// A word that the completion script asks the program for.
    case asked(CompletionQuestion)
  }

  package struct Argument: Sendable, Hashable {
    package let name: String
    package let kind: Kind
    /// Its description, as a sentence.
    package let help: String
    /// Whether the argument may be omitted; only the last one may.
    package var isOptional = false

    package init(name: String, kind: Kind, help: String, isOptional: Bool = false) {
      self.name = name
      self.kind = kind
      self.help = help
      self.isOptional = isOptional
    }
  }

  /// An option, `--name` or `--name VALUE`.
  package struct Option: Sendable, Hashable {
    package let name: String
    /// The one-letter form; `nil` if there is none.
    package let letter: Character?
    /// The name of the value in help; `nil` for a flag.
    package let placeholder: String?
    package let kind: Kind
    package let isRequired: Bool
    /// Its effect, as a sentence.
    package let help: String

    package init(
      _ name: String, letter: Character? = nil, _ placeholder: String? = nil, kind: Kind = .text,
      isRequired: Bool = false, help: String
    ) {
      self.name = name
      self.letter = letter
      self.placeholder = placeholder
      self.kind = kind
      self.isRequired = isRequired
      self.help = help
    }
  }

  package struct Example: Sendable, Hashable {
    package let line: String
    /// Its effect, as a sentence.
    package let meaning: String

    package init(line: String, meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  package let name: String
  /// The command's effect, as a sentence.
  package let summary: String
  package let examples: [Example]
  package let arguments: [Argument]
  /// Whether the last argument may be repeated.
  package let repeatsLast: Bool
  package let options: [Option]
  /// Paragraphs after the options.
  package let notes: [String]
  package let run: @Sendable (Arguments, Console) throws(CommandFailure) -> Int32

  package init(
    _ name: String, summary: String, examples: [Example], arguments: [Argument], repeatsLast: Bool = false,
    options: [Option] = [], notes: [String] = [],
    run: @escaping @Sendable (Arguments, Console) throws(CommandFailure) -> Int32
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.arguments = arguments
    self.repeatsLast = repeatsLast
    self.options = options + [.help]
    self.notes = notes
    self.run = run
  }

  /// `decant migrate STORE --output PATH --models DIR [OPTION…]`.
  package var usage: String {
    let required = options.filter(\.isRequired).map { "--\($0.name) \($0.placeholder ?? "")" }
    let more = repeatsLast ? arguments.last.map { ["[\($0.name)…]"] } ?? [] : []
    return
      (["decant", name] + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name } + more + required + [
        "[OPTION…]"
      ]).joined(separator: " ")
  }
}

extension Command.Option {
  package static let help = Self("help", letter: "h", help: "Shows this help.")
  package static let json = Self("json", help: "Prints JSON with sorted keys instead of text.")
  package static let quiet = Self("quiet", letter: "q", help: "Prints only the report and errors.")
  package static let framework = Self(
    "framework", "N", kind: .number,
    help: "The version of the Core Data framework (NSPersistenceFrameworkVersion) for the schema; "
      + "default: \(FrameworkVersion.current.number) (iOS 17).")
  package static let models = Self(
    "models", "DIR", kind: .folder, isRequired: true,
    help: "The catalogue: a folder that holds one folder for each model family; or one family's folder "
      + "or model bundle.")
  package static let target = Self(
    "to", "VERSION", kind: .asked(.versions),
    help: "The target version; default: the family's own target or current version.")
  package static let family = Self(
    "family", "NAME", kind: .asked(.families), help: "Uses only this family of the catalogue.")
  package static let rewrite = Self(
    "rewrite",
    help: "Writes a new file, even if the store has the target version already, or if a step could change a "
      + "copy of the store.")
  package static let strict = Self(
    "strict",
    help:
      "Writes nothing and ends with 65 if a value or object would be lost that the family doesn't accept "
      + "(acceptedLosses in family.json5).")
}

extension Arguments {
  /// The value of `--framework`.
  package func framework() throws(CommandFailure) -> FrameworkVersion {
    try number("framework", in: 1...999_999).map(FrameworkVersion.init) ?? .current
  }
}
