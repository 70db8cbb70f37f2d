internal import DecantCatalogue
package import DecantReport

/// The result of checking one family without a store.
public struct FamilyReport: Sendable, Hashable, Codable {
  /// A fault or a point that needs attention.
  public struct Finding: Sendable, Hashable, Codable {
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
      /// Stores will be refused, or wait.
      case error
      /// Stores may be refused, or lose something.
      case warning
      /// Worth knowing.
      case note
    }

    public var severity: Severity
    /// The file or folder that the finding is about; `nil` if there is none, or if the message names it.
    public var file: String?
    /// The line of the file, from 1, if known.
    public var line: Int?
    /// One sentence or more.
    public var message: String
    /// For some findings about mapping models, the line with a mark below the place; else empty.
    public var excerpt: [String] = []
  }

  /// One version and its path to the target.
  public struct Version: Sendable, Hashable, Codable {
    public var name: String
    /// All names of the version, including `name`.
    public var names: [String]
    /// The files of its models, one for each name.
    public var paths: [String]
    /// The version to which its stores are migrated; `nil` if the target isn't known.
    public var target: String?
    public var reach: Reach
    /// The steps to the target; empty for the target itself, and without a path.
    public var steps: [Step]
    /// Why there is no path or no target; `nil` if there is a path.
    public var problem: String?
  }

  /// Whether stores of a version can reach the target.
  public enum Reach: String, Sendable, Hashable, Codable {
    case isTarget
    case reached
    /// The version seems to be newer than the target.
    case newer
    case unreached
  }

  public struct Step: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    /// Names of the mapping models; empty for an inferred step.
    public var mappingModels: [String]
  }

  /// The mapping models of a pair of versions.
  public struct Pair: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    /// In the order of their passes.
    public var mappingModels: [MappingModelFacts]
    /// Source entities, not abstract, that no entity mapping takes or removes; empty if a mapping model can't be used.
    public var untaken: [String]
    /// Destination entities, not abstract, that no entity mapping makes; empty if a mapping model can't be used.
    public var unmade: [String]
    /// Whether the path from some version to the target uses the pair.
    public var isUsed: Bool
  }

  public struct MappingModelFacts: Sendable, Hashable, Codable {
    public var name: String
    public var path: String
    public var entityMappings: [EntityMappingFacts]
  }

  public struct EntityMappingFacts: Sendable, Hashable, Codable {
    public var name: String
    /// How the entity mapping runs; `nil` if it makes no objects, or if the way can't be known without a store.
    package var way: MigrationPlan.Way?
  }

  /// Code that mapping models need: a policy of entity mappings, or functions.
  public struct Policy: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
      case className
      case program
      /// A class whose functions an entity mapping calls.
      case functions
    }

    public var kind: Kind
    /// The class, or the program with its arguments.
    public var name: String
    /// Names of entity mappings, with their mapping models: `Step: NoteToNote`.
    public var entityMappings: [String]
    /// The program's file, or the worker that registers the class; `nil` if it wasn't found or can't be used.
    public var path: String?
  }

  public var name: String
  public var path: String
  /// Whether the family's folder can be used.
  public var isUsable: Bool
  public var versions: [Version] = []
  public var pairs: [Pair] = []
  public var policies: [Policy] = []
  /// Files that no part of Decant reads.
  public var unusedFiles: [String] = []
  /// Errors first, then warnings, then notes.
  public var findings: [Finding] = []

  mutating func sort() {
    findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
  }

  /// The number of findings of a severity.
  public func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }

  mutating func add(
    _ severity: Finding.Severity, _ message: String, file: String? = nil, line: Int? = nil,
    excerpt: [String] = []
  ) {
    let finding = Finding(severity: severity, file: file, line: line, message: message, excerpt: excerpt)
    if !findings.contains(finding) { findings.append(finding) }
  }
}

extension FamilyReport {
  /// Adds an error with the reason why the worker can't be used.
  ///
  /// The finding has a file and a line only if the reason is about the worker that `family.json5` names.
  mutating func add(unusable reason: String, of family: Family) {
    let file = family.folder.appendingPathComponent("family.json5").path
    let isNamed = family.configuration.worker.map { reason.contains("“\($0)”") } ?? false
    add(.error, reason, file: isNamed ? file : nil, line: isNamed ? FamilyWorker.line(in: file) : nil)
  }
}
