extension MigrationPlan {
  /// One entity mapping and the objects of its source entity.
  public struct EntityMappingPlan: Sendable, Hashable, Codable {
    public var name: String
    /// What happens to the objects.
    ///
    /// `copy`: unchanged. `transform`: changed. `custom`: a policy makes the new objects. `add`: the entity is new.
    /// `remove`: the new store doesn't have the objects. `undefined`: the mapping model states no type.
    public var type: String
    public var source: String?
    public var destination: String?
    /// Objects of the source entity; `nil` in steps after the first.
    public var rows: Int?
    /// The mapping model's name; `nil` for an inferred mapping.
    public var pass: String?
    /// The predicate that selects source objects; `nil` for all.
    public var filter: String?
    /// The expression that makes one object for each of its values.
    public var uniqueBy: String?
    /// Objects that the filter excludes; `nil` if they weren't counted.
    public var filtered: Int?
    /// Objects that pass the filter but have no value for `uniqueBy`; `nil` if they weren't counted.
    public var withoutValue: Int?
    /// The class or program that makes the objects.
    public var policy: String?
    /// Whether the policy is a class, which a worker has to provide.
    public var needsWorker: Bool?
    /// The predicates of explicit chunks, in their order.
    public var chunks: [String] = []
    /// The chunk size in rows that the mapping model states.
    public var chunkRows: Int?
    public var way: Way = .set
    /// The destination properties in a mapping model; empty for inferred mappings.
    public var attributes: [PropertyPlan] = []
    public var relationships: [PropertyPlan] = []

    package init(
      name: String, type: String, source: String? = nil, destination: String? = nil, rows: Int? = nil,
      pass: String? = nil, filter: String? = nil, uniqueBy: String? = nil, filtered: Int? = nil,
      withoutValue: Int? = nil, policy: String? = nil, chunks: [String] = [], chunkRows: Int? = nil,
      way: Way = .set, attributes: [PropertyPlan] = [], relationships: [PropertyPlan] = []
    ) {
      self.name = name
      self.type = type
      self.source = source
      self.destination = destination
      self.rows = rows
      self.pass = pass
      self.filter = filter
      self.uniqueBy = uniqueBy
      self.filtered = filtered
      self.withoutValue = withoutValue
      self.policy = policy
      self.chunks = chunks
      self.chunkRows = chunkRows
      self.way = way
      self.attributes = attributes
      self.relationships = relationships
    }
  }

  /// How an entity mapping runs.
  public enum Way: Sendable, Hashable {
    /// The entity mapping runs as SQL over all rows of a chunk together.
    case set
    /// The entity mapping runs row by row, for this reason.
    case rows(reason: String)
  }

  /// One property and where it gets its value.
  public struct PropertyPlan: Sendable, Hashable, Codable {
    public var name: String
    /// The expression that gives the value; `nil` for the default, a derived value, or an empty relationship.
    public var expression: String?
    /// The expression that gives source objects, if the relationship leads to the objects made from these.
    public var path: String?
    /// The entity mapping that made the targets; `nil` for any.
    public var mapping: String?
    /// Whether renaming identifiers and names give the same value without the mapping model.
    public var isRule: Bool

    package init(
      name: String, expression: String? = nil, path: String? = nil, mapping: String? = nil, isRule: Bool
    ) {
      self.name = name
      self.expression = expression
      self.path = path
      self.mapping = mapping
      self.isRule = isRule
    }
  }
}

extension MigrationPlan.Way: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind
    case reason
  }

  /// Reads `{"kind": "set"}` or `{"kind": "rows", "reason": "…"}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(String.self, forKey: .kind) {
    case "set": self = .set
    default: self = .rows(reason: try values.decodeIfPresent(String.self, forKey: .reason) ?? "")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .set: try values.encode("set", forKey: .kind)
    case .rows(let reason):
      try values.encode("rows", forKey: .kind)
      try values.encode(reason, forKey: .reason)
    }
  }
}
