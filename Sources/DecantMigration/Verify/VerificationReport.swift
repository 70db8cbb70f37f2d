internal import DecantMapping

extension Verification {
  /// One kind of difference at one place.
  public struct Difference: Sendable, Hashable, Codable {
    /// What differs; the raw values are stable words for scripts.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case missingTable = "missing-table"
      case surplusTable = "surplus-table"
      case missingColumn = "missing-column"
      case surplusColumn = "surplus-column"
      case changedColumn = "changed-column"
      case missingIndex = "missing-index"
      case surplusIndex = "surplus-index"
      case changedIndex = "changed-index"
      case missingTrigger = "missing-trigger"
      case surplusTrigger = "surplus-trigger"
      case changedTrigger = "changed-trigger"
      case entityTable = "entity-table"
      case highWaterMark = "high-water-mark"
      case uuid
      case versionHash = "version-hash"
      case metadataKey = "metadata-key"
      case damage
      case lostRow = "lost-row"
      case surplusRow = "surplus-row"
      case entityNumber = "entity-number"
      case saveCount = "save-count"
      case changedValue = "changed-value"
      case marker
      case derivedValue = "derived-value"
      case missingFile = "missing-file"
      case changedFile = "changed-file"
      case lostPair = "lost-pair"
      case surplusPair = "surplus-pair"
      case changedTarget = "changed-target"
      case entityColumn = "entity-column"
      case orphan
      case changedOrder = "changed-order"
      case orderKey = "order-key"
      case xmlContent = "xml-content"
      case lostHistory = "lost-history"
      case surplusHistory = "surplus-history"
      case modelCache = "model-cache"
      case lostAssociation = "lost-association"
      case surplusAssociation = "surplus-association"
      case strayAssociation = "stray-association"
      case movedAssociation = "moved-association"
      case sharedObject = "shared-object"
      case filteredObject = "filtered-object"
      case unexplainedObject = "unexplained-object"
      case failedExpression = "failed-expression"
      /// Values and references of objects that were put aside.
      case asideValue = "quarantined-value"
      /// Objects that were put aside and break no rule.
      case asideWithoutReason = "quarantined-without-reason"
      /// The side store or its list isn't beside the destination.
      case missingQuarantine = "missing-quarantine"
      /// Rows of the source that belong to no entity, or pairs with one of them, that aren't kept as they are.
      case lostStrayRow = "lost-stray-row"
      /// Such rows that are kept and that the source doesn't have so.
      case surplusStrayRow = "surplus-stray-row"
    }

    public var kind: Kind
    /// The entity of the destination model, where it is about one.
    public var entity: String?
    /// Its attribute or relationship.
    public var property: String?
    /// A table, column, index, trigger or key of the metadata.
    public var name: String?
    /// How many rows, values or pairs.
    public var count: Int
    /// Up to five: primary keys, `owner → target` for pairs, or words.
    public var examples: [String]

    public init(
      kind: Kind, entity: String? = nil, property: String? = nil, name: String? = nil, count: Int = 1,
      examples: [String] = []
    ) {
      self.kind = kind
      self.entity = entity
      self.property = property
      self.name = name
      self.count = count
      self.examples = examples
    }
  }

  /// What a migration is right to leave out, with its number.
  public struct Expected: Sendable, Hashable, Codable {
    /// Why it is left out; the raw values are stable words for scripts.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// The source's reference leads to no object.
      case dangling = "dangling-reference"
      /// The target's entity went away, or doesn't fit the relationship's destination any more.
      case targetGone = "target-gone"
      /// Several objects led to one that has room for one only now; the pair with the largest key is kept.
      case displaced
      /// Objects of an entity that the destination model doesn't have.
      case entityGone = "entity-gone"
      /// The file of an external value is missing beside the source too.
      case missingFile = "file-missing-in-source"
      /// The value's file is missing beside the source, and the destination keeps values in its rows.
      case filelessValue = "value-of-missing-file"
      /// Persistent history that can't stay true is emptied as a whole.
      case historyEmptied = "history-emptied"
      /// Changes of persistent history that are of entities which the destination model doesn't have.
      case historyGone = "history-gone"
      /// Source objects that an entity mapping's filter doesn't take.
      case filtered
      /// Source objects without a value that objects of the entity mapping are unique by.
      case withoutValue = "without-value"
      /// Objects of an entity mapping whose policy may set any value; the property is the policy's name. Without a
      /// property: source objects of which nothing is left, where a policy may have deleted it.
      case leftToPolicy = "left-to-policy"
      /// Objects that break rules of the destination model and are in the side store.
      case quarantined
      /// Objects that no entity mapping has made, where a policy ran.
      case madeByPolicy = "made-by-policy"
      /// What can't be worked out anew: a relationship whose expression is no look-up, or steps behind a policy.
      case notJudged = "not-judged"
      /// Pairs of objects one of which a policy made.
      case unjudgedPairs = "unjudged-pairs"
      /// An attribute that was worked out on the path that the migration had taken too, because SQL can't say it.
      case samePath = "same-path"
      /// Rows that belong to no entity of their table, which are no objects.
      case strayRows = "stray-rows"
    }

    public var kind: Kind
    /// The entity, entity mapping or version; a table where it is about stray rows.
    public var entity: String
    public var property: String?
    public var count: Int
  }

  /// Objects of one entity on both sides.
  public struct EntityRows: Sendable, Hashable, Codable {
    /// The source's entity; `nil` for one that is new.
    public var source: String?
    public var destination: String
    public var sourceRows: Int
    public var destinationRows: Int
  }

  /// How much was compared.
  public struct Extent: Sendable, Hashable, Codable {
    public var tables = 0
    public var indexes = 0
    public var rows = 0
    /// Attributes, counted for each entity that has them, and their values.
    public var attributes = 0
    public var values = 0
    /// Relationships as they are stored (both ends are one), and their pairs.
    public var relationships = 0
    public var pairs = 0
    /// Ordered relationships whose order was compared.
    public var orders = 0
    public var files = 0
  }

  /// The result of a comparison.
  public struct Report: Sendable, Hashable, Codable {
    /// Paths of the two stores.
    public var source: String
    public var destination: String
    public var isEqual: Bool
    /// Whether both are XML stores of the target version, of which nothing but the bytes was compared.
    public var isHandedOn = false
    /// Which versions were compared, and how; `nil` where the caller gave models instead of a catalogue.
    public var way: Way?
    public var compared: Extent
    public var entities: [EntityRows]
    public var expected: [Expected]
    public var differences: [Difference]
  }
}

extension Verification.Report {
  /// Says of an inferred way that objects are missing for want of the quarantine's files.
  mutating func noteMissing(_ files: QuarantineFiles, mode: ValidationMode?) {
    guard mode == .quarantine, !files.isThere, differences.contains(where: { $0.kind == .lostRow }) else {
      return
    }
    differences.append(.init(kind: .missingQuarantine, name: files.storeName))
  }
}

/// What the checks gather.
struct Findings {
  var compared = Verification.Extent()
  var entities: [Verification.EntityRows] = []
  var expected: [Verification.Expected] = []
  var differences: [Verification.Difference] = []
  /// Whether rows are lost or surplus, so that pairs must be looked at among common rows.
  var rowsDiffer = false

  mutating func add(
    _ kind: Verification.Difference.Kind, entity: String? = nil, property: String? = nil, name: String? = nil,
    count: Int = 1, examples: [String] = []
  ) {
    guard count > 0 else { return }
    differences.append(
      .init(
        kind: kind, entity: entity, property: property, name: name, count: count,
        examples: Array(examples.prefix(5))))
  }

  mutating func expect(_ kind: Verification.Expected.Kind, entity: String, property: String? = nil, count: Int)
  {
    guard count > 0 else { return }
    expected.append(.init(kind: kind, entity: entity, property: property, count: count))
  }
}
