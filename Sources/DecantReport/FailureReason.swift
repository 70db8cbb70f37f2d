/// A reason for a failure: a stable word for scripts, and the consequences.
///
/// `reason.json`, the progress log and `decant --json` have only the word. An unknown word from a file of another
/// version is kept as it is.
public struct FailureReason: Sendable {
  /// The word, such as `unknown-version` or `not-sqlite`.
  public let word: String
  /// What usually happens to the store.
  public let disposition: FailureDisposition
  /// The exit codes with which `decant` gives this reason, the usual one first; empty if only the daemon gives it.
  public let exitCodes: [Int32]
  /// Core Data's code for a failure that states no code of its own.
  package let coreDataCode: Int?
  /// What Decant reads to find this reason; `nil` if it is not found by reading the store.
  package let evidence: Evidence?
  /// Whether a change in the catalogue makes a refused store acceptable, and the advice names only this change.
  package let isFixedInCatalogue: Bool

  /// What Decant reads when it finds a reason.
  ///
  /// A second reading may not find the reason again, for example if the disk failed during the first one.
  package enum Evidence: Sendable, Hashable {
    /// The store.
    case store
    /// The store and the catalogue.
    case catalogue
    /// Rows of a store that is otherwise sound.
    case rows
  }

  /// - Parameters:
  ///   - exits: The exit codes of `decant`; `nil` for the exit code of the disposition.
  ///   - code: Core Data's code.
  init(
    _ word: String, _ disposition: FailureDisposition, exits: [Int32]? = nil, code: Int? = nil,
    shownBy evidence: Evidence? = nil, isFixedInCatalogue: Bool = false
  ) {
    self.word = word
    self.disposition = disposition
    exitCodes = exits ?? [disposition.exitCode]
    coreDataCode = code
    self.evidence = evidence
    self.isFixedInCatalogue = isFixedInCatalogue
  }

  /// The reason with a word from a file or another process.
  ///
  /// A reason with an unknown word has the disposition `fault` and no exit codes.
  public init(word: String) {
    self = Self.known[word] ?? Self(word, .fault, exits: [])
  }

  private static let known = Dictionary(uniqueKeysWithValues: (all + [otherWorker]).map { ($0.word, $0) })

  /// The job belongs to another worker; this reason is only sent between processes of Decant.
  package static let otherWorker = Self("other-worker", .retry, exits: [])
}

extension FailureReason: Hashable {
  /// Words are compared by their bytes, as scripts do.
  public static func == (one: Self, other: Self) -> Bool { one.word.utf8.elementsEqual(other.word.utf8) }

  public func hash(into hasher: inout Hasher) { hasher.combine(Array(word.utf8)) }
}

extension FailureReason: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(word: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(word)
  }
}
