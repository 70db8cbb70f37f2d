internal import DecantEngine
internal import DecantMapping

extension Verification {
  /// One kind of difference at one place.
  public struct Difference: Sendable, Hashable, Codable {
    /// The kinds of difference; the raw values are stable words for scripts.
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
      /// Values and references of quarantined objects that differ from the expected ones.
      case asideValue = "quarantined-value"
      /// Quarantined objects that break no rule.
      case asideWithoutReason = "quarantined-without-reason"
      /// The quarantine store or its list isn't beside the destination.
      case missingQuarantine = "missing-quarantine"
      /// Stray rows of the source, or pairs with one of them, that are missing or changed in the result.
      case lostStrayRow = "lost-stray-row"
      /// Stray rows in the result that the source doesn't have in this form.
      case surplusStrayRow = "surplus-stray-row"
      /// The list of stray rows beside the destination differs from the source's stray rows.
      case changedStrayList = "changed-stray-list"
    }

    public var kind: Kind
    /// The entity of the destination model, if the difference concerns one.
    public var entity: String?
    /// The attribute or relationship of that entity.
    public var property: String?
    /// For example a table, column, index, trigger, key of the metadata, entity mapping or file.
    public var name: String?
    /// The number of things that differ, for example rows, values, pairs or files.
    public var count: Int
    /// Up to five: primary keys, `owner → target` for pairs, or texts.
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

  /// Something that the report counts, but that isn't a difference: correctly left out, as mapped, or not checked.
  public struct Expected: Sendable, Hashable, Codable {
    /// The reason; the raw values are stable words for scripts.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// The source's reference has no target.
      case dangling = "dangling-reference"
      /// The target isn't among the destination's objects, for example because its entity was dropped, or because it
      /// is in quarantine.
      case targetGone = "target-gone"
      /// Pairs that are left out because an object can have only one partner now.
      ///
      /// The pair with the largest key is kept. If two relationships became the ends of one relationship, the pair of
      /// the leading end is kept (`RelationshipOrigin.Union`).
      case displaced
      /// Objects of a source entity that neither an entity of the destination model nor an entity mapping takes.
      case entityGone = "entity-gone"
      /// The file of an external value is missing beside the source too.
      case missingFile = "file-missing-in-source"
      /// The value's file is missing beside the source, and a version on the path keeps the values in its rows.
      case filelessValue = "value-of-missing-file"
      /// Persistent history that would become wrong is emptied completely.
      case historyEmptied = "history-emptied"
      /// Changes in persistent history of entities that the destination model doesn't have.
      case historyGone = "history-gone"
      /// Source objects that an entity mapping's filter excludes.
      case filtered
      /// Source objects without a value for the entity mapping's `uniqueBy`.
      case withoutValue = "without-value"
      /// Objects of an entity mapping whose policy may set any value; the property is the policy's name.
      ///
      /// Without a property: source objects without an association. A policy left these source objects out, or deleted
      /// their objects.
      case leftToPolicy = "left-to-policy"
      /// Values that are as the entity mapping gives them, in objects that a policy made.
      case asMapped = "as-mapped"
      /// Other values of objects that a policy made.
      case setByPolicy = "set-by-policy"
      /// Pairs that are as the entity mapping gives them, of objects that a policy made.
      case pairsAsMapped = "pairs-as-mapped"
      /// Objects that a policy made, and to which the policy gave other pairs than the entity mapping.
      case pairsSetByPolicy = "pairs-set-by-policy"
      /// Objects that break rules of the destination model and are in the quarantine store.
      case quarantined
      /// Objects without an entity mapping, if a policy ran.
      case madeByPolicy = "made-by-policy"
      /// Results that can't be computed again.
      ///
      /// - Relationships whose expression isn't a look-up.
      /// - Values whose expression calls unavailable code of a worker.
      /// - Source objects whose filter or `uniqueBy` calls such code.
      /// - Steps that start from values of the first two kinds, or from a policy's objects.
      case notJudged = "not-judged"
      /// Pairs with an object that a policy made.
      case unjudgedPairs = "unjudged-pairs"
      /// An attribute that was computed by the same method as in the migration, because SQL can't express it.
      case samePath = "same-path"
      /// Rows that belong to no entity of their table; such rows aren't objects.
      case strayRows = "stray-rows"
    }

    public var kind: Kind
    /// The entity, entity mapping or version; a table for stray rows and persistent history.
    public var entity: String
    public var property: String?
    public var count: Int
  }

  /// The numbers of objects in both stores, for one entity or for one entity mapping.
  public struct EntityRows: Sendable, Hashable, Codable {
    /// The source entity; `nil` for an entity that gets no source objects.
    public var source: String?
    public var destination: String
    public var sourceRows: Int
    public var destinationRows: Int
  }

  /// The extent of a comparison.
  public struct Extent: Sendable, Hashable, Codable {
    public var tables = 0
    public var indexes = 0
    public var rows = 0
    /// The number of attributes; an attribute is counted for each entity that has it.
    public var attributes = 0
    /// The number of values of these attributes.
    public var values = 0
    /// The number of stored relationships; both ends of a one-to-one relationship count.
    public var relationships = 0
    /// The number of pairs of these relationships.
    public var pairs = 0
    /// The number of ordered relationships whose order was compared.
    public var orders = 0
    public var files = 0
  }

  /// The result of a comparison.
  public struct Report: Sendable, Hashable, Codable {
    /// Paths of the two stores.
    public var source: String
    public var destination: String
    public var isEqual: Bool
    /// Whether both stores are XML stores of the target version, so that only the bytes were compared.
    public var isUnchangedSource = false
    /// The compared versions, and how each step was compared.
    ///
    /// `nil` if `isUnchangedSource` is true, or if the caller gave models instead of a catalogue.
    public var way: Way?
    public var compared: Extent
    public var entities: [EntityRows]
    public var expected: [Expected]
    public var differences: [Difference]
  }
}

extension Verification.Report {
  /// Adds a difference for an inferred path: the lost objects may be in a quarantine whose files are missing.
  mutating func noteMissing(_ files: QuarantineFiles, mode: ValidationMode?) {
    guard mode == .quarantine, !files.isThere, differences.contains(where: { $0.kind == .lostRow }) else {
      return
    }
    differences.append(.init(kind: .missingQuarantine, name: files.storeName))
  }
}

/// The collected results of the checks.
package struct Findings {
  var compared = Verification.Extent()
  var entities: [Verification.EntityRows] = []
  var expected: [Verification.Expected] = []
  var differences: [Verification.Difference] = []
  /// Whether the two stores may have different rows, so that pairs are compared only among common rows.
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

  /// Adds a difference if a high-water mark is below its least value.
  mutating func add(mark: Int64, least: Int64, entity: String? = nil, name: String? = nil) {
    guard mark < least else { return }
    add(.highWaterMark, entity: entity, name: name, examples: ["\(mark) instead of at least \(least)"])
  }

  mutating func expect(_ kind: Verification.Expected.Kind, entity: String, property: String? = nil, count: Int)
  {
    guard count > 0 else { return }
    expected.append(.init(kind: kind, entity: entity, property: property, count: count))
  }
}
