package import DecantMapping
internal import Foundation

/// A point in a step's mapping model that needs attention but doesn't prevent the step.
public struct PlanFinding: Sendable, Hashable, Codable {
  /// The mapping model's name.
  public var pass: String
  /// The entity mapping's name; `nil` if the finding is about the whole model.
  public var entityMapping: String?
  /// The destination property's name; `nil` if the finding is about no property.
  public var property: String?
  /// The path of the mapping model's file.
  public var file: String?
  /// The line of the file, from 1, if known.
  public var line: Int?
  /// The problem, without a full stop.
  public var problem: String
  /// What to do about the problem, without a full stop.
  public var advice: String

  package init(_ finding: MappingFinding, pass: String, line: Int?) {
    self.pass = pass
    entityMapping = finding.entityMapping
    property = finding.property
    file = finding.path
    self.line = line
    problem = finding.problem
    advice = finding.advice
  }

  /// The file's name, the place in it, problem and advice.
  public var description: String {
    var place = file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? pass
    if let line { place += ", line \(line)" }
    if let entityMapping { place += ": entity mapping “\(entityMapping)”" }
    if let property { place += ", “\(property)”" }
    return "\(place): \(problem). \(advice)."
  }
}
