extension MigrationReport {
  /// A property or an entity whose values or objects don't all reach the new store.
  public struct Loss: Sendable, Hashable, Codable {
    /// Whether the mapping models leave the values or objects behind.
    ///
    /// The new version may have a place for these.
    public var isLeftBehind: Bool { ![.noPlace, .fewerTargets, .order, .missingFile].contains(cause) }

    /// What is lost.
    public enum Kind: String, Sendable, Codable {
      case entity
      case attribute
      case relationship
    }

    /// The reason for a loss.
    public enum Cause: String, Sendable, Codable {
      /// The destination model has no place for the values or objects.
      case noPlace
      /// The relationship can hold fewer targets than before.
      case fewerTargets
      /// Owner and target are in the new store, but no relationship that is filled from this relationship connects
      /// them.
      case unlinked
      /// The relationship isn't ordered any more, or `uniqueBy` makes its objects; the targets are kept.
      case order
      /// The external files of values are missing, and the destination keeps the values in its rows.
      case missingFile
      /// No entity mapping of the mapping models has this source entity.
      case noEntityMapping
      /// The entity mappings for these objects have filters or `uniqueBy`, and none takes these objects.
      case filters
      /// An entity mapping without a destination removes the objects.
      case removed
      /// No expression, filter or `uniqueBy` of the entity mappings that take the object reads the property.
      case unread
      /// Another source object with the same value of `uniqueBy` gives the value.
      case shared
      /// A text that the mapping model parses isn't a number, date or UUID of the wanted form, so the new value is nil.
      case unparsed
    }

    public var kind: Kind
    public var cause: Cause
    /// The version in which `entity` and `property` have these names; `nil` for the store's own version.
    public var version: String?
    public var entity: String
    /// `nil` if the whole entity is lost.
    public var property: String?
    /// The number of objects of an entity, values of an attribute that are not nil, or targets of a relationship.
    public var values: Int
    /// The new entity or property that is probably the lost one under a new name; `nil` if there is none.
    public var probableRename: String?
    /// Whether the family accepts the loss (`acceptedLosses`), or a mapping model removes the objects on purpose.
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

    /// Decodes a loss, also from a version of Decant without the newer keys.
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

  /// The losses with at least one value.
  public var realLosses: [Loss] { losses.filter { $0.values > 0 } }
}

extension [MigrationReport.Loss] {
  /// The total number of lost values and objects.
  public var lostValues: Int { reduce(0) { $0.addingReportingOverflow($1.values).partialValue } }
}
