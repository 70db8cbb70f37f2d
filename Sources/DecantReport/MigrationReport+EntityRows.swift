extension MigrationReport {
  /// The numbers of objects of one entity mapping.
  ///
  /// `source` = `made` + `shared` + `withoutValue` + `filtered` + `refused` + `leftOut`.
  public struct EntityRows: Sendable, Hashable, Codable {
    public var entityMapping: String
    /// The mapping model's name, because several may have entity mappings of one name; `nil` for an inferred step.
    public var pass: String?
    /// Objects of the source entity.
    public var source: Int
    /// Source objects whose object was made and delivered.
    public var made: Int
    /// Source objects that share the object of another source object, because of `uniqueBy` or a policy.
    public var shared: Int
    /// Source objects without a value for `uniqueBy`.
    public var withoutValue: Int
    /// Source objects that the filter excludes.
    public var filtered: Int
    /// Source objects whose object is in quarantine.
    public var refused: Int
    /// Source objects from which a policy made no object, or whose object a policy deleted.
    public var leftOut: Int
    /// Objects that a policy made in addition to the first one of a source object; they aren't part of the sum.
    public var further: Int

    /// Source objects that were migrated.
    ///
    /// Counts may come from another process, so the sum must not trap.
    public var migrated: Int { made &+ shared }

    package var outcomes: [(count: Int, word: String)] {
      [(migrated, "migrated")]
        + [
          (withoutValue, "without value"), (filtered, "filtered"), (refused, "refused"), (leftOut, "left out"),
        ].filter { $0.0 != 0 }
    }

    /// The outcomes as text: `3 migrated, 4 filtered`.
    ///
    /// The number of source objects is left out: a sum counts an object once for each entity mapping that reads it.
    package var words: String { outcomes.map { "\($0.count) \($0.word)" }.joined(separator: ", ") }

    public init(
      entityMapping: String, pass: String? = nil, source: Int, made: Int, shared: Int = 0,
      withoutValue: Int = 0,
      filtered: Int = 0, refused: Int = 0, leftOut: Int = 0, further: Int = 0
    ) {
      self.entityMapping = entityMapping
      self.pass = pass
      self.source = source
      self.made = made
      self.shared = shared
      self.withoutValue = withoutValue
      self.filtered = filtered
      self.refused = refused
      self.leftOut = leftOut
      self.further = further
    }

    private enum CodingKeys: String, CodingKey {
      case entityMapping, pass, source, migrated, made, shared, withoutValue, filtered, refused, leftOut,
        further
    }

    /// Decodes the numbers, also from a version of Decant without the newer keys.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func number(_ key: CodingKeys) throws -> Int { try values.decodeIfPresent(Int.self, forKey: key) ?? 0 }
      self.init(
        entityMapping: try values.decode(String.self, forKey: .entityMapping),
        pass: try values.decodeIfPresent(String.self, forKey: .pass),
        source: try values.decode(Int.self, forKey: .source),
        made: try values.decodeIfPresent(Int.self, forKey: .made) ?? number(.migrated),
        shared: try number(.shared), withoutValue: try number(.withoutValue), filtered: try number(.filtered),
        refused: try number(.refused), leftOut: try number(.leftOut), further: try number(.further))
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(entityMapping, forKey: .entityMapping)
      try values.encodeIfPresent(pass, forKey: .pass)
      for (key, number) in [
        (CodingKeys.source, source), (.migrated, migrated), (.made, made), (.shared, shared),
        (.withoutValue, withoutValue), (.filtered, filtered), (.refused, refused), (.leftOut, leftOut),
        (.further, further),
      ] { try values.encode(number, forKey: key) }
    }
  }
}

extension [MigrationReport.EntityRows] {
  /// One value with the sums of all counts, under one name.
  public func sum(named name: String = "") -> MigrationReport.EntityRows {
    reduce(into: .init(entityMapping: name, source: 0, made: 0)) { sum, rows in
      sum.source &+= rows.source
      sum.made &+= rows.made
      sum.shared &+= rows.shared
      sum.withoutValue &+= rows.withoutValue
      sum.filtered &+= rows.filtered
      sum.refused &+= rows.refused
      sum.leftOut &+= rows.leftOut
      sum.further &+= rows.further
    }
  }
}
