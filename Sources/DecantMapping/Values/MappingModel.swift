/// A mapping model: it describes how objects of one model version become objects of another.
public struct MappingModel: Sendable, Hashable {
  /// The origin of a mapping model.
  public enum Origin: Sendable, Hashable {
    /// Inferred from the two models (lightweight migration).
    case inferred
    case file(path: String)
    /// Made or changed by a program.
    case code
  }

  public var name: String
  public var origin: Origin
  /// The names of the two versions, if the file states them.
  public var sourceVersion: String?
  public var destinationVersion: String?
  /// The place among the passes of one pair of versions, if the file states it.
  public var order: Int?
  /// The action for objects that break a rule of the destination model; `nil` for the family's or engine's choice.
  public var validation: ValidationMode?
  /// Whether entity hashes may differ from the models'.
  public var acceptsStaleHashes: Bool
  /// In execution order.
  public var entityMappings: [EntityMapping]
  /// The treatment of source entities that no entity mapping names, if a text states it.
  public var others: Others?
  /// The losses of the entity mappings that `others` added.
  public var inferredLosses = InferredLosses()

  /// The treatment of source entities that no entity mapping names.
  public enum Others: String, Sendable, Hashable, CaseIterable {
    /// Inferred entity mappings.
    case infer
  }

  /// The losses of inferred entity mappings.
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

  /// The file's path; `nil` if the mapping model doesn't come from a file.
  public var path: String? { if case .file(let path) = origin { path } else { nil } }
}

/// The action for objects that break a rule of the destination model.
public enum ValidationMode: String, Sendable, Hashable, CaseIterable {
  case fail
  case report
  case quarantine
}
