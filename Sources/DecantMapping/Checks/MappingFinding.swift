/// Something in a mapping model that can't work, or that somebody should look at.
public struct MappingFinding: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Nothing can be migrated with it.
    case error
    /// It may be meant so.
    case warning
  }

  /// What a finding is about.
  public enum Subject: String, Sendable, Hashable {
    /// What the mapping model says.
    case content
    /// A version hash that isn't that of the model.
    case hash
    /// A function of the application's own, of which only the team's worker knows whether it is there.
    case function
    /// A policy that nothing calls, or what else stands there to no effect.
    case unused
  }

  public var severity: Severity
  public var subject: Subject
  /// The mapping model's file; `nil` where it has none.
  public var path: String?
  /// The entity mapping's name; `nil` where the whole model is meant.
  public var entityMapping: String?
  /// The destination property's name; `nil` where the whole entity mapping is meant.
  public var property: String?
  /// The key of the entity mapping, as “filter”; `nil` where a property or the whole entity mapping is meant.
  public var key: String?
  /// The part of the expression that is meant, as it is written; `nil` where it is the whole.
  public var focus: String?
  /// What is wrong, without a full stop.
  public var problem: String
  /// What to do about it, without a full stop.
  public var advice: String

  /// Place, problem and advice in words.
  public var description: String { description(line: nil) }

  /// The same with the line of the file, from 1.
  public func description(line: Int?) -> String {
    var place = path.map { "\($0)\(line.map { ", line \($0)" } ?? ""): " } ?? ""
    if let entityMapping { place += "entity mapping “\(entityMapping)”" }
    if let property { place += "\(entityMapping == nil ? "" : ", ")“\(property)”" }
    if entityMapping != nil || property != nil { place += ": " }
    return "\(place)\(problem). \(advice)."
  }
}
