/// Why a migration did not end well, in the form that crosses process borders and lands in `reason.json`.
public struct MigrationFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  public var disposition: FailureDisposition
  /// A stable word for scripts, such as `unknown-version` or `not-sqlite`.
  public var reason: String
  /// Core Data's error code where it has one for this (134100, 134110, 134130, 134140, 1570, …).
  public var coreDataCode: Int?
  /// One sentence with file, entity and property.
  public var message: String
  /// The line of a text that can't be read, with a mark below the place; empty where the failure is about none.
  ///
  /// It is for media that have lines; the sentence says line and column.
  public var excerpt: [String]
  /// Lines below the sentence, where there are several things to say.
  public var details: [String]
  /// What to do about it.
  public var advice: String
  /// The family whose catalogue folder is at fault or that the store belongs to, where it is known.
  public var family: String?

  public init(
    disposition: FailureDisposition, reason: String, coreDataCode: Int? = nil, message: String,
    excerpt: [String] = [], details: [String] = [], advice: String,
    family: String? = nil
  ) {
    self.disposition = disposition
    self.reason = reason
    self.coreDataCode = coreDataCode
    self.message = message
    self.excerpt = excerpt
    self.details = details
    self.advice = advice
    self.family = family
  }

  /// What stands below the sentence, where a medium has lines.
  public var lines: [String] { excerpt + details }

  /// All of it in a line, as a log has it.
  public var description: String {
    ([message] + (details.isEmpty ? [] : [details.joined(separator: "; ") + "."]) + [advice])
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The exit code of sysexits.h that says the same.
  public var exitCode: Int32 {
    switch disposition {
    case .refuse: 65
    case .catalogue: 78
    case .retry where reason == Self.diskReason: 74
    case .retry, .stopped: 75
    case .fault: 70
    }
  }
}

extension MigrationFailure {
  /// Reads a failure, also one that was kept before a key was added.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      disposition: try values.decode(FailureDisposition.self, forKey: .disposition),
      reason: try values.decode(String.self, forKey: .reason),
      coreDataCode: try values.decodeIfPresent(Int.self, forKey: .coreDataCode),
      message: try values.decode(String.self, forKey: .message),
      excerpt: try values.decodeIfPresent([String].self, forKey: .excerpt) ?? [],
      details: try values.decodeIfPresent([String].self, forKey: .details) ?? [],
      advice: try values.decode(String.self, forKey: .advice),
      family: try values.decodeIfPresent(String.self, forKey: .family))
  }
}
