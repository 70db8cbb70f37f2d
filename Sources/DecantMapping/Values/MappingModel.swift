/// A mapping model: how the objects of one model version become those of another.
public struct MappingModel: Sendable, Hashable {
  /// Where a mapping model comes from.
  public enum Origin: Sendable, Hashable {
    /// Worked out from the two models (lightweight migration).
    case inferred
    case file(path: String)
  }

  public var name: String
  public var origin: Origin
  /// The names of the two versions, where the file says them.
  public var sourceVersion: String?
  public var destinationVersion: String?
  /// The place among the passes of one pair of versions, where the file says it.
  public var order: Int?
  /// What happens to objects that break a rule of the destination model; `nil` for the family's or engine's choice.
  public var validation: ValidationMode?
  /// Whether entity hashes that aren't those of the models are no error.
  public var acceptsStaleHashes: Bool
  /// In the order in which they run.
  public var entityMappings: [EntityMapping]
  /// What becomes of source entities that no entity mapping names, where a text says it.
  public var others: Others?
  /// What the entity mappings lose that are there because of `others`.
  public var inferredLosses = InferredLosses()

  /// What becomes of source entities that no entity mapping names.
  public enum Others: String, Sendable, Hashable, CaseIterable {
    /// What inference would make of them.
    case infer
  }

  /// What inferred entity mappings have no place for.
  public struct InferredLosses: Sendable, Hashable {
    public var drops: [InferredMapping.Drop] = []
    public var lostTargets: [InferredMapping.LostTargets] = []
  }

  public init(
    name: String, origin: Origin, sourceVersion: String? = nil, destinationVersion: String? = nil,
    order: Int? = nil, validation: ValidationMode? = nil, acceptsStaleHashes: Bool = false,
    entityMappings: [EntityMapping]
  ) {
    self.name = name
    self.origin = origin
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.order = order
    self.validation = validation
    self.acceptsStaleHashes = acceptsStaleHashes
    self.entityMappings = entityMappings
  }

  /// The file's path; `nil` for an inferred one.
  public var path: String? { if case .file(let path) = origin { path } else { nil } }

  /// Whether somebody wrote it as text.
  public var isText: Bool { path?.hasSuffix(MappingFilePlace.Form.text.rawValue) ?? false }
}

/// What happens to objects that break a rule of the destination model.
public enum ValidationMode: String, Sendable, Hashable, CaseIterable {
  case fail
  case report
  case quarantine
}
