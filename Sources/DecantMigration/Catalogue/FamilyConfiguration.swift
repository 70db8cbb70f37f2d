public import DecantMapping
internal import FileNames

/// The settings of one family (`family.json5`).
public struct FamilyConfiguration: Sendable, Hashable {
  /// Whether steps may be inferred.
  public enum Inference: String, Sendable, CaseIterable {
    case allow
    case refuse
  }

  /// What happens where values have no place in the destination.
  public enum DataLoss: String, Sendable, CaseIterable {
    case report
    case refuse
  }

  /// What happens to a store that CloudKit mirrors.
  public enum CloudKit: String, Sendable, CaseIterable {
    case refuse
    case reset
  }

  /// What happens to a store with rows that belong to no entity of their table.
  public enum StrayRows: String, Sendable, CaseIterable {
    case refuse
    case quarantine
  }

  /// What happens to objects that break a rule of the destination model.
  public enum Validation: String, Sendable, CaseIterable {
    case report
    case fail
    case quarantine

    /// The mapping models' word for it.
    var mode: ValidationMode? { ValidationMode(rawValue: rawValue) }
  }

  /// What happens to a store of a version that the family doesn't have, if it keeps its own model.
  public enum UnknownVersions: String, Sendable, CaseIterable {
    case infer
    case refuse
  }

  /// Which mapping models are used although they were made for other states of the versions.
  public enum StaleHashes: Sendable, Hashable {
    /// Those that say so themselves.
    case refuse
    case accept
    /// Those of these files, named without ending.
    case acceptIn([String])

    /// Whether the mapping model of that file name may be stale.
    public func accepts(_ name: String) -> Bool {
      switch self {
      case .refuse: false
      case .accept: true
      case .acceptIn(let names): names.contains { FileName($0) == FileName(name) }
      }
    }

    /// The same with the names of the files that are meant.
    func meant(among files: [String]) -> StaleHashes {
      guard case .acceptIn(let names) = self else { return self }
      return .acceptIn(names.map { FileName.meant(by: $0, among: files) ?? $0 })
    }
  }

  /// One hop of a stated path.
  public struct Hop: Sendable, Hashable {
    public var source: String
    public var destination: String
  }

  /// Renames, and the destination versions for which they hold; for all where there are none.
  public struct StatedRenames: Sendable, Hashable {
    public var destinations: [String]
    public var renames: Renames
  }

  /// The version to which stores are brought; `nil` for the bundle's current one.
  public var target: String?
  /// The way that stores take: a list of versions, or of pairs of versions, in the file.
  public var path: [Hop] = []
  public var renames: [StatedRenames] = []
  public var inference: Inference = .allow
  public var dataLoss: DataLoss = .report
  public var acceptedLosses = AcceptedLosses()
  public var cloudKit: CloudKit = .refuse
  public var strayRows: StrayRows = .refuse
  /// `nil` for the engine's own choice, which is `report` after inferred steps and `fail` after mapping models.
  public var validation: Validation?
  /// `nil` for inference where no mapping model, stated path or lost value speaks against it.
  public var unknownVersions: UnknownVersions?
  /// Which configuration stores are of, where their hashes fit several.
  public var configuration: String?
  /// Names of mapping models in the order of their passes.
  public var order: [String] = []
  public var acceptStaleHashes: StaleHashes = .refuse
  /// Whether a missing external-data folder refuses the store.
  public var requireExternalData = false
  /// The team's own worker, an absolute path; `nil` for Decant's.
  public var worker: String?
  /// Whether a file with the associations is left beside every result.
  public var keepAssociations = false
  /// Rows of a chunk; `nil` for the engine's choice.
  public var chunkSize: Int?

  public init() {}

  /// The renames that hold for a destination known under any of these names.
  public func renames(to names: [String]) -> Renames {
    renames.filter { $0.destinations.isEmpty || !Set($0.destinations).isDisjoint(with: names) }
      .reduce(.none) { $0.merging($1.renames) }
  }
}
