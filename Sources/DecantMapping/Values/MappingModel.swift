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
}

/// What happens to objects that break a rule of the destination model.
public enum ValidationMode: String, Sendable, Hashable, CaseIterable {
  case fail
  case report
  case quarantine
}
