internal import DecantModel

extension MigrationReport {
  /// Values that don't come along.
  public struct Loss: Sendable, Hashable, Codable {
    /// Whether the version could have its objects, and the mapping models leave them behind.
    public var isLeftBehind: Bool { cause == .noEntityMapping || cause == .filters }

    /// What goes away.
    public enum Kind: String, Sendable, Codable {
      case entity
      case attribute
      case relationship
    }

    /// Why it goes away.
    public enum Cause: String, Sendable, Codable {
      /// The destination model has no place for it.
      case noPlace
      /// The relationship can hold fewer targets than before.
      case fewerTargets
      /// The external files of its values are missing, and the destination keeps the values in its rows.
      case missingFile
      /// No entity mapping of the mapping models takes its objects.
      case noEntityMapping
      /// The entity mappings that take such objects have filters, or are unique by a value, and none takes these.
      case filters
    }

    public var kind: Kind
    public var cause: Cause
    /// The version whose names these are; `nil` for the store's own.
    public var version: String?
    public var entity: String
    /// `nil` where the whole entity goes away.
    public var property: String?
    /// Objects of an entity, values of an attribute that are not nil, or targets of a relationship.
    public var values: Int
    /// The new entity or property that this one was probably renamed to.
    public var probableRename: String?
    /// Whether the family accepts it (`acceptedLosses`).
    public var accepted: Bool

    public init(
      kind: Kind, entity: String, property: String?, values: Int, probableRename: String? = nil,
      cause: Cause = .noPlace, version: String? = nil, accepted: Bool = false
    ) {
      self.kind = kind
      self.cause = cause
      self.version = version
      self.entity = entity
      self.property = property
      self.values = values
      self.probableRename = probableRename
      self.accepted = accepted
    }

    /// Reads a loss, also one that was noted before a key was added.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        kind: try values.decode(Kind.self, forKey: .kind),
        entity: try values.decode(String.self, forKey: .entity),
        property: try values.decodeIfPresent(String.self, forKey: .property),
        values: try values.decode(Int.self, forKey: .values),
        probableRename: try values.decodeIfPresent(String.self, forKey: .probableRename),
        cause: try values.decodeIfPresent(Cause.self, forKey: .cause) ?? .noPlace,
        version: try values.decodeIfPresent(String.self, forKey: .version),
        accepted: try values.decodeIfPresent(Bool.self, forKey: .accepted) ?? false)
    }
  }

  /// The losses of something: what nobody had a value of is none.
  public var realLosses: [Loss] { losses.filter { $0.values > 0 } }
}

extension [MigrationReport.Loss] {
  /// The same under the names of a version, each with whether the family accepts it.
  ///
  /// - Parameters:
  ///   - version: `nil` for the store's own.
  ///   - model: That version's model.
  func named(version: String?, in model: ManagedObjectModel, accepted: AcceptedLosses) -> Self {
    map { loss in
      var loss = loss
      loss.version = version
      loss.accepted = accepted.cover(entity: loss.entity, property: loss.property, in: model)
      return loss
    }
  }

  /// The values and objects of all of them.
  public var lostValues: Int { reduce(0) { $0.addingReportingOverflow($1.values).partialValue } }
}
