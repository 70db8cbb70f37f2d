internal import DecantStore

/// One command as data.
///
/// Help, error messages, completions and manual pages are made from it.
public struct Command: Sendable {
  /// What an argument or a value names; completions depend on it.
  enum Kind: Sendable, Hashable {
    /// An `.xcdatamodel`, or `BUNDLE#VERSION`.
    case model
    case file
    case folder
    case number
    case text
    /// One of a few words.
    case words([String])
    /// What the program itself knows.
    case asked(CompletionQuestion)
  }

  /// A positional argument.
  public struct Argument: Sendable, Hashable {
    public let name: String
    let kind: Kind
    /// Its description, as a sentence.
    public let help: String
    /// Whether it may be left out; only the last may.
    public var isOptional = false
  }

  /// An option, `--name` or `--name VALUE`.
  public struct Option: Sendable, Hashable {
    public let name: String
    /// The one-letter form.
    public let letter: Character?
    /// The name of the value in help; `nil` for a flag.
    public let placeholder: String?
    let kind: Kind
    public let isRequired: Bool
    /// Its effect, as a sentence.
    public let help: String

    init(
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

  /// A typical command line.
  public struct Example: Sendable, Hashable {
    public let line: String
    /// Its effect, as a sentence.
    public let meaning: String
  }

  public let name: String
  /// The command's effect, as a sentence.
  public let summary: String
  public let examples: [Example]
  public let arguments: [Argument]
  /// Whether the last argument may be repeated.
  public let repeatsLast: Bool
  public let options: [Option]
  /// Paragraphs after the options.
  public let notes: [String]
  let run: @Sendable (Arguments, Console) throws(CommandFailure) -> Int32

  init(
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
  var usage: String {
    let required = options.filter(\.isRequired).map { "--\($0.name) \($0.placeholder ?? "")" }
    let more = repeatsLast ? arguments.last.map { ["[\($0.name)…]"] } ?? [] : []
    return
      (["decant", name] + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name } + more + required + [
        "[OPTION…]"
      ]).joined(separator: " ")
  }
}

extension Command.Option {
  static let help = Self("help", letter: "h", help: "Shows this help.")
  static let json = Self("json", help: "Prints JSON with sorted keys instead of text.")
  static let quiet = Self("quiet", letter: "q", help: "Prints only the report and errors.")
  static let framework = Self(
    "framework", "N", kind: .number,
    help: "The version of the Core Data framework (NSPersistenceFrameworkVersion) for the schema; "
      + "default: \(FrameworkVersion.current.number) (iOS 17).")
  static let models = Self(
    "models", "DIR", kind: .folder, isRequired: true,
    help: "The catalogue: a folder that holds one folder for each model family; or one family's folder "
      + "or model bundle.")
  static let target = Self(
    "to", "VERSION", kind: .asked(.versions),
    help: "The target version; default: the family's own target or current version.")
  static let family = Self(
    "family", "NAME", kind: .asked(.families), help: "Uses only this family of the catalogue.")
  static let rewrite = Self(
    "rewrite",
    help: "Writes a new file, even if the store has the target version or a copy could be changed.")
  static let strict = Self(
    "strict",
    help:
      "Writes nothing and ends with 65 if a value or object would be lost that the family doesn't accept "
      + "(acceptedLosses in family.json5).")
}

extension Arguments {
  /// The value of `--framework`.
  func framework() throws(CommandFailure) -> FrameworkVersion {
    try number("framework", in: 1...999_999).map(FrameworkVersion.init) ?? .current
  }
}
