internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// What a step puts aside: the objects of some entities that break rules of the destination model, and those of them
/// that lack a required target for it.
struct Quarantine: Sendable {
  /// Where the refused objects of one entity mapping come from.
  struct Origin: Sendable {
    let sourceEntity: String
    /// Selects `root`, `key` and `source`, the source key, of each refused object; the working file is attached as
    /// `whole`.
    let statement: String
  }

  let layout: StoreLayout
  /// The entities whose invalid objects are put aside, sorted by name.
  let entities: [String]
  /// Their rules; the place is a rule's number in the working file, where uniqueness comes last.
  let rules: [ValidationRule]
  let uniqueness: [UniqueRule]
  let origins: [Origin]
  /// What takes the refused objects out of the destination when they have been put aside.
  let removing: [Work]

  /// - Parameters:
  ///   - own: What the step's program has to do besides, such as forgetting associations.
  ///   - derived: Computes derived values anew.
  init?(
    _ entities: [String], in layout: StoreLayout, origins: [Origin], own: [Work] = [], derived: [Work]
  ) {
    guard !entities.isEmpty else { return nil }
    self.layout = layout
    self.entities = entities.sorted()
    self.origins = origins
    rules = self.entities.flatMap { ValidationRule.rules(of: $0, in: layout) { _ in } }
    uniqueness = UniqueRule.rules(of: self.entities, in: layout)
    removing = own + QuarantineRemoval(layout: layout).works() + derived
  }

  /// What the result depends on, for the checkpoint's digest.
  var digestParts: [String] {
    rules.map { "\($0.entity).\($0.property) \($0.words) \($0.code) \($0.broken)" }
      + uniqueness.map { "\($0.words) \($0.statement)" } + removing.flatMap(\.statements)
  }

  // MARK: Tables of the working file

  static let refused = "Z_DECANT_REFUSED"
  static let reasons = "Z_DECANT_REASONS"

  /// The tables that live in the working file while it is being filled.
  ///
  /// An object is known by its family's root entity and its key.
  static let workTables = [
    refused:
      "CREATE TABLE \(refused) (root INTEGER, key INTEGER, entity INTEGER, round INTEGER, PRIMARY KEY (root, key)) "
      + "WITHOUT ROWID",
    reasons:
      "CREATE TABLE \(reasons) (root INTEGER, key INTEGER, rule INTEGER, PRIMARY KEY (root, key, rule)) WITHOUT ROWID",
  ]

  /// Holds where an object has been refused.
  static func isRefused(_ key: String, root: Int, schema: String = "main") -> String {
    "EXISTS (SELECT 1 FROM \(schema).\(refused) AS z WHERE z.root = \(root) AND z.key = \(key))"
  }

  /// The keys of a family's refused objects.
  static func keys(root: Int) -> String { "(SELECT key FROM main.\(refused) WHERE root = \(root))" }

  /// Counts the refused objects of an entity.
  static func count(entity number: Int) -> String {
    "SELECT count(*) FROM main.\(refused) WHERE entity = \(number)"
  }
}

extension StoreLayout {
  /// The number by which the working file's tables know a family.
  func rootNumber(of entity: String) -> Int? {
    model.root(of: entity).flatMap { entityNumbers[$0.name] }
  }
}
