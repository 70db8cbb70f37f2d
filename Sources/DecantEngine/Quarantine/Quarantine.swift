internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantStore

/// The objects that a step quarantines.
///
/// They are objects of `entities` that break a rule or a uniqueness constraint of the destination model. An object may
/// break a rule only because its targets are in quarantine.
package struct Quarantine: Sendable {
  /// For one entity mapping: how its refused objects lead to their source objects.
  struct Origin: Sendable {
    let sourceEntity: String
    /// Selects `root`, `key` and `source` of each refused object.
    ///
    /// `source` is the source key. The working file is attached as `whole`.
    let statement: String
  }

  let layout: StoreLayout
  /// The entities whose invalid objects are quarantined, sorted by name.
  let entities: [String]
  /// The rules of `entities`.
  ///
  /// The working file stores a rule by its index in this array. The indexes of the uniqueness rules follow.
  let rules: [ValidationRule]
  let uniqueness: [UniqueRule]
  let origins: [Origin]
  /// The work that removes the refused objects from the destination after they are in quarantine.
  let removing: [Work]

  /// - Parameters:
  ///   - own: Further work of the step's program, such as removing associations.
  ///   - derived: The work that computes derived values again.
  /// - Returns: `nil` without entities.
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

  /// Inputs of the result for the checkpoint's digest.
  package var digestParts: [String] {
    rules.map { "\($0.entity).\($0.property) \($0.words) \($0.code) \($0.broken)" }
      + uniqueness.map { "\($0.words) \($0.statement)" } + removing.flatMap(\.statements)
  }

  // MARK: Tables of the working file

  static let refused = "Z_DECANT_REFUSED"
  static let reasons = "Z_DECANT_REASONS"

  /// The tables that are in the working file while it is being filled.
  ///
  /// An object is identified by the number of its root entity and by its key.
  static let workTables = [
    refused:
      "CREATE TABLE \(refused) (root INTEGER, key INTEGER, entity INTEGER, round INTEGER, PRIMARY KEY (root, key)) "
      + "WITHOUT ROWID",
    reasons:
      "CREATE TABLE \(reasons) (root INTEGER, key INTEGER, rule INTEGER, PRIMARY KEY (root, key, rule)) WITHOUT ROWID",
  ]

  /// SQL that is true for a refused object.
  static func isRefused(_ key: String, root: Int, schema: String = "main") -> String {
    "EXISTS (SELECT 1 FROM \(schema).\(refused) AS z WHERE z.root = \(root) AND z.key = \(key))"
  }

  /// SQL for the keys of the refused objects in a root entity's table.
  static func keys(root: Int) -> String { "(SELECT key FROM main.\(refused) WHERE root = \(root))" }

  /// SQL for the number of an entity's refused objects.
  static func count(entity number: Int) -> String {
    "SELECT count(*) FROM main.\(refused) WHERE entity = \(number)"
  }
}
