/// What a migration would do: printed by `decant plan`, and carried out by `Migration.run`.
public struct MigrationPlan: Sendable, Hashable, Codable {
  /// One step of the way.
  public struct Step: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    /// Names of the mapping models, in order.
    public var passes: [String]
    public var entityMappings: [EntityMappingPlan]
    /// The framework version for which the destination's schema is written.
    public var framework: Int
    /// What the mapping models should be looked at for.
    public var findings: [PlanFinding] = []
  }

  public var store: String
  /// The kind of the source as `NSStoreType` names it, `SQLite` or `XML`.
  public var storeType: String
  public var family: String
  public var sourceVersion: String
  /// Every name under which the catalogue has the store's version.
  public var sourceVersionNames: [String]
  /// `catalogue`, `own-model` (the store's own cache gave the source model), `configuration`, or `merge`.
  public var sourceOrigin: String
  /// The version of the catalogue that is nearest to a store's own model.
  public var nearestVersion: String?
  public var targetVersion: String
  /// Empty where there is nothing to do.
  public var steps: [Step]
  /// Rows that belong to no entity of their table; `nil` where there are none.
  public var strayRows: MigrationReport.StrayRows?
  /// What goes away, with the values in the store; nothing where no value is lost.
  public var losses: [MigrationReport.Loss]
  public var warnings: [String]
  /// The sentences among the warnings about policies and functions that certainly aren't there, so that the migration
  /// would wait for them.
  public var missingCode: [String] = []
  /// What is worth knowing and no reason to act.
  public var notes: [String] = []
  /// Objects in the store; 0 in a plan that is carried out at once, for which nobody has counted them.
  public var rows: Int
  /// Bytes of free space that the work needs.
  public var diskBytes: Int
}
