/// The plan of a migration: printed by `decant plan`, and executed by `Migration.run`.
public struct MigrationPlan: Sendable, Hashable, Codable {
  /// One step of the path.
  public struct Step: Sendable, Hashable, Codable {
    public var source: String
    public var destination: String
    /// Names of the mapping models, in order.
    public var passes: [String]
    public var entityMappings: [EntityMappingPlan]
    /// The framework version for which the destination's schema is written.
    public var framework: Int
    /// Points in the mapping models that need attention.
    public var findings: [PlanFinding] = []
  }

  public var store: String
  /// The kind of the source as `NSStoreType` names it, `SQLite` or `XML`.
  public var storeType: String
  public var family: String
  public var sourceVersion: String
  /// Every name of the store's version in the catalogue.
  public var sourceVersionNames: [String]
  /// `catalogue`, `own-model` (the source model comes from the store's own cache), `configuration`, or `merge`.
  public var sourceOrigin: String
  /// The catalogue's version that is nearest to a store's own model.
  public var nearestVersion: String?
  public var targetVersion: String
  /// Empty if there is nothing to do.
  public var steps: [Step]
  /// Rows that belong to no entity of their table; `nil` if the store has no such rows.
  public var strayRows: MigrationReport.StrayRows?
  /// The losses, with the number of values in the store; empty if no value is lost.
  public var losses: [MigrationReport.Loss]
  public var warnings: [String]
  /// The sentences of the warnings about policies and functions that are certainly missing, so that the migration would
  /// wait for them.
  public var missingCode: [String] = []
  /// Information that needs no action.
  public var notes: [String] = []
  /// Objects in the store; 0 in a plan that is executed at once, where they weren't counted.
  public var rows: Int
  /// Bytes of free space that the work needs.
  public var diskBytes: Int
}
