/// Why a migration failed, in the form that is sent between processes and written to `reason.json`.
public struct MigrationFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  public var disposition: FailureDisposition
  public var reason: FailureReason
  /// Core Data's code for this error (134100, 134110, 134130, 134140, 1570, …), if there is one.
  public var coreDataCode: Int?
  /// What happened, in one sentence or more, with file, entity and property where these are known.
  public var message: String
  /// A faulty line of a text file, and a mark below the faulty place; empty if the failure has no such line.
  ///
  /// The excerpt is for output with several lines. The message states the line.
  public var excerpt: [String]
  /// Lines after the message, for example one for each finding; empty if the message says everything.
  public var details: [String]
  /// What to do about the failure.
  public var advice: String
  /// The family whose folder has a fault or to which the store belongs, if known.
  public var family: String?

  /// - Parameters:
  ///   - disposition: The disposition; `nil` for the reason's disposition.
  ///   - coreDataCode: Core Data's code; `nil` for the reason's code.
  public init(
    _ reason: FailureReason, _ disposition: FailureDisposition? = nil, coreDataCode: Int? = nil,
    message: String, excerpt: [String] = [], details: [String] = [], advice: String = "", family: String? = nil
  ) {
    self.disposition = disposition ?? reason.disposition
    self.reason = reason
    self.coreDataCode = coreDataCode ?? reason.coreDataCode
    self.message = message
    self.excerpt = excerpt
    self.details = details
    self.advice = advice
    self.family = family
  }

  /// The lines after the message, for output with several lines.
  public var lines: [String] { excerpt + details }

  /// Message, details and advice in one line, for a log.
  ///
  /// The excerpt is left out.
  public var description: String {
    ([message] + (details.isEmpty ? [] : [Self.line(details) + "."]) + [advice])
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Details in one line, without the full stops at their ends.
  package static func line(_ details: [String]) -> String {
    details.map { $0.hasSuffix(".") && !$0.hasSuffix("..") ? String($0.dropLast()) : $0 }.joined(
      separator: "; ")
  }

  /// The exit code of `decant` for this failure, from sysexits.h.
  public var exitCode: Int32 {
    let codes = reason.exitCodes
    return codes.contains(disposition.exitCode) ? disposition.exitCode : codes.first ?? disposition.exitCode
  }
}

extension MigrationFailure {
  /// Decodes a failure.
  ///
  /// Keys that an older version of Decant didn't write may be absent.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(FailureReason.self, forKey: .reason),
      try values.decode(FailureDisposition.self, forKey: .disposition),
      message: try values.decode(String.self, forKey: .message),
      excerpt: try values.decodeIfPresent([String].self, forKey: .excerpt) ?? [],
      details: try values.decodeIfPresent([String].self, forKey: .details) ?? [],
      advice: try values.decode(String.self, forKey: .advice),
      family: try values.decodeIfPresent(String.self, forKey: .family))
    coreDataCode = try values.decodeIfPresent(Int.self, forKey: .coreDataCode)
  }
}
