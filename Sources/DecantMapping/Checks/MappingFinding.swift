/// A problem or doubtful point of a mapping model.
public struct MappingFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The mapping model can't be used.
    case error
    /// The mapping model can be used, and what the finding reports may be intended.
    case warning
  }

  /// The subject of a finding.
  public enum Subject: String, Sendable, Hashable {
    /// The content of the mapping model.
    case content
    /// A version hash that differs from the model's.
    case hash
    /// A function of the application's code; only the team's worker can supply it.
    case function
    /// A policy that is never called, or another part without effect.
    case unused
  }

  public var severity: Severity
  public var subject: Subject
  /// The mapping model's file; `nil` without a file.
  public var path: String?
  /// The entity mapping's name; `nil` if the finding is about the whole model.
  public var entityMapping: String?
  /// The destination property's name; `nil` if the finding isn't about a property.
  public var property: String?
  /// The key of the entity mapping, such as “filter”.
  ///
  /// With a property: `attributes` or `relationships`, or `nil` if it isn't known which of them has the property. `nil`
  /// also if the finding is about the whole entity mapping or the whole model.
  public var key: String?
  /// The part of the expression, as written, that the finding is about; `nil` for the whole expression.
  public var focus: String?
  /// The problem, without a full stop.
  public var problem: String
  /// What to do about it, without a full stop.
  public var advice: String

  /// Place, problem and advice as text.
  public var description: String { description(line: nil) }

  /// The same text with the line of the file, from 1.
  public func description(line: Int?) -> String {
    var place = path.map { "\($0)\(line.map { ", line \($0)" } ?? ""): " } ?? ""
    if let entityMapping { place += "entity mapping “\(entityMapping)”" }
    if let property { place += "\(entityMapping == nil ? "" : ", ")“\(property)”" }
    if entityMapping != nil || property != nil { place += ": " }
    return "\(place)\(problem). \(advice)."
  }
}
