public import DecantMapping
internal import FileNames

/// The settings of one family (`family.json5`).
public struct FamilyConfiguration: Sendable, Hashable {
  /// Whether steps may be inferred.
  public enum Inference: String, Sendable, CaseIterable {
    case allow
    case refuse
  }

  /// The action if values have no place in the destination.
  public enum DataLoss: String, Sendable, CaseIterable {
    case report
    case refuse
  }

  /// The action for a store that CloudKit mirrors.
  public enum CloudKit: String, Sendable, CaseIterable {
    case refuse
    case reset
  }

  /// The action for a store with rows that belong to no entity of their table.
  public enum StrayRows: String, Sendable, CaseIterable {
    case refuse
    case quarantine
  }

  /// The action for objects that break a rule of the destination model.
  public enum Validation: String, Sendable, CaseIterable {
    case report
    case fail
    case quarantine

    /// The mode of the same name in mapping models.
    package var mode: ValidationMode? { ValidationMode(rawValue: rawValue) }
  }

  /// The action for a store of an unknown version that has its own model.
  public enum UnknownVersions: String, Sendable, CaseIterable {
    case infer
    case refuse
  }

  /// Which mapping models are used although they were made for other states of the versions.
  public enum StaleHashes: Sendable, Hashable {
    /// Only mapping models that themselves accept stale hashes.
    case refuse
    /// All mapping models.
    case accept
    /// Also these files, named without extension.
    case acceptIn([String])

    /// Whether the mapping model of that file name may be stale.
    public func accepts(_ name: String) -> Bool {
      switch self {
      case .refuse: false
      case .accept: true
      case .acceptIn(let names): names.contains { FileName($0) == FileName(name) }
      }
    }

    /// The same setting with the full names of the files.
    func meant(among files: [String]) -> StaleHashes {
      guard case .acceptIn(let names) = self else { return self }
      return .acceptIn(names.map { FileName.meant(by: $0, among: files) ?? $0 })
    }
  }

  /// One entry of the setting `path`: stores go from one version to another.
  public struct Hop: Sendable, Hashable {
    public var source: String
    public var destination: String
  }

  /// Renames, and the names of the destination versions to which they apply.
  ///
  /// Without names, the renames apply to all versions.
  public struct StatedRenames: Sendable, Hashable {
    public var destinations: [String]
    public var renames: Renames
  }

  /// The target version of stores; `nil` for the bundle's current one.
  public var target: String?
  /// The stated path of stores.
  ///
  /// The file has a list of versions, or of pairs of versions.
  public var path: [Hop] = []
  public var renames: [StatedRenames] = []
  public var inference: Inference = .allow
  public var dataLoss: DataLoss = .report
  public var acceptedLosses = AcceptedLosses()
  public var cloudKit: CloudKit = .refuse
  public var strayRows: StrayRows = .refuse
  /// `nil` for the engine's own choice, which is `report` after inferred steps and `fail` after mapping models.
  public var validation: Validation?
  /// `nil`: infer, unless a mapping model, a stated path or, without a stated target, a lost value forbids it.
  public var unknownVersions: UnknownVersions?
  /// The configuration of stores whose hashes fit several configurations.
  public var configuration: String?
  /// Names of mapping models in the order of their passes.
  public var order: [String] = []
  public var acceptStaleHashes: StaleHashes = .refuse
  /// Whether a store is refused if the external file of a value is missing.
  public var requireExternalData = false
  /// The absolute path of the family's own worker; `nil` for Decant's own worker.
  public var worker: String?
  /// Whether the associations are written to a file beside every result.
  public var keepAssociations = false
  /// Whether inferred steps write a new file, also where changing a copy of the source is quicker.
  public var rewrite = false
  /// Rows of a chunk; `nil` for the engine's choice.
  public var chunkSize: Int?

  public init() {}

  /// The renames for a destination with any of these names, compared by bytes.
  public func renames(to names: [String]) -> Renames {
    let names = Set(names.map { FileName($0) })
    return renames.filter {
      $0.destinations.isEmpty || $0.destinations.contains { names.contains(FileName($0)) }
    }
    .reduce(.none) { $0.merging($1.renames) }
  }

  /// The same configuration, in which `renames` has the full names of versions.
  func meant(among versions: [FamilyVersion]) -> FamilyConfiguration {
    let names = Set(versions.flatMap(\.allNames).map { FileName($0) }).map(\.text)
    var meant = self
    for index in renames.indices {
      meant.renames[index].destinations = renames[index].destinations.map {
        FileName.meant(by: $0, among: names) ?? $0
      }
    }
    return meant
  }
}
