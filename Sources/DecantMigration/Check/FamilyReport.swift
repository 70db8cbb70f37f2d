/// What is known about one family without a store.
public struct FamilyReport: Sendable, Hashable, Codable {
  /// Something to mend or to look at.
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
    /// The file or folder; `nil` where the message says it.
    public var file: String?
    /// The line of the file, from 1, where it is known.
    public var line: Int?
    /// One sentence or more.
    public var message: String
    /// The line with a mark below the place that is meant; empty where there is nothing to show.
    public var excerpt: [String] = []
  }

  /// One version and its way to the target.
  public struct Version: Sendable, Hashable, Codable {
    public var name: String
    /// Every name, its own included.
    public var names: [String]
    /// The files of its models, one for each name.
    public var paths: [String]
    /// The version to which its stores are brought; `nil` where that can't be told.
    public var target: String?
    public var reach: Reach
    /// The steps there; empty for the target itself, and where there is no way.
    public var steps: [Step]
    /// Why there is no way.
    public var problem: String?
  }

  /// Whether stores of a version come to the target.
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
    /// Source entities that no entity mapping takes or removes.
    public var untaken: [String]
    /// Destination entities of which no entity mapping makes objects.
    public var unmade: [String]
    /// Whether the way of some version to the target leads through it.
    public var isUsed: Bool
  }

  public struct MappingModelFacts: Sendable, Hashable, Codable {
    public var name: String
    public var path: String
    public var entityMappings: [EntityMappingFacts]
  }

  public struct EntityMappingFacts: Sendable, Hashable, Codable {
    public var name: String
    /// `nil` for those that make no objects, and where it can't be told without a store.
    public var way: MigrationPlan.Way?
  }

  /// Code that mapping models need: a policy that entity mappings leave their objects to, or functions.
  public struct Policy: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
      case className
      case program
      /// A class whose functions expressions call.
      case functions
    }

    public var kind: Kind
    /// The class, or the program with its arguments.
    public var name: String
    /// Names of entity mappings, with their mapping models: `Step: NoteToNote`.
    public var entityMappings: [String]
    /// The program's file, or the worker that registers the class; `nil` where there is none.
    public var path: String?
  }

  public var name: String
  public var path: String
  /// Whether the family's folder can be used at all.
  public var isUsable: Bool
  public var versions: [Version] = []
  public var pairs: [Pair] = []
  public var policies: [Policy] = []
  /// Files that no part of Decant reads.
  public var unusedFiles: [String] = []
  /// Errors first, then warnings, then notes.
  public var findings: [Finding] = []

  /// Brings errors to the front, and notes to the end.
  mutating func sort() {
    findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
  }

  /// The findings of that severity.
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
  /// Why the worker of a family can't be used, with the place that names it; another one has none.
  mutating func add(unusable reason: String, of family: Family) {
    let file = family.folder.appendingPathComponent("family.json5").path
    let isNamed = family.configuration.worker.map { reason.contains("“\($0)”") } ?? false
    add(.error, reason, file: isNamed ? file : nil, line: isNamed ? FamilyWorker.line(in: file) : nil)
  }
}
