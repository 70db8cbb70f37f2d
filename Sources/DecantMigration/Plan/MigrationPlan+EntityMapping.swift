extension MigrationPlan {
  /// One entity mapping and the objects of its source entity.
  public struct EntityMappingPlan: Sendable, Hashable, Codable {
    public var name: String
    /// What becomes of objects: `copy`, as they are; `transform`, changed; `custom`, what the policy makes of them;
    /// `add`, the entity is new; `remove`, they go away.
    public var type: String
    public var source: String?
    public var destination: String?
    /// Objects of the source entity; `nil` in steps after the first.
    public var rows: Int?
    /// The mapping model, where it isn't inferred.
    public var pass: String?
    /// The predicate of the source objects that are taken; `nil` for all.
    public var filter: String?
    /// The expression that makes one object for each of its values.
    public var uniqueBy: String?
    /// Objects that the filter doesn't take; `nil` where they weren't counted.
    public var filtered: Int?
    /// Objects that the filter takes and that have no value to be unique by; `nil` where they weren't counted.
    public var withoutValue: Int?
    /// The class or program that makes the objects.
    public var policy: String?
    /// The predicates of explicit chunks, in their order.
    public var chunks: [String] = []
    /// The rows of a chunk that the mapping model asks for.
    public var chunkRows: Int?
    public var way: Way = .set
    /// What a mapping model says of the properties of the destination entity; empty for inferred mappings.
    public var attributes: [PropertyPlan] = []
    public var relationships: [PropertyPlan] = []
  }

  /// How an entity mapping runs.
  public enum Way: Sendable, Hashable {
    /// As SQL over all rows of a chunk at once.
    case set
    /// Row by row, because of this.
    case rows(reason: String)
  }

  /// One property and where it gets its value.
  public struct PropertyPlan: Sendable, Hashable, Codable {
    public var name: String
    /// `nil` for the default, a derived value, or a relationship that starts empty.
    public var expression: String?
    /// Where a relationship leads to what has become of source objects: the expression that gives these.
    public var path: String?
    /// The entity mapping that has made them; `nil` for any.
    public var mapping: String?
    /// Whether it is what renaming identifiers and names say anyway.
    public var isRule: Bool
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
