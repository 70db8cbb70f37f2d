/// A fact about a store that a person should know.
struct Oddity: Hashable {
  enum Severity: String {
    /// A trace of the store's past, or a harmless fact.
    case note
    /// Something is missing, damaged or contradictory, but doesn't prevent a migration.
    case warning
    /// Decant won't migrate this store.
    case refusal
  }

  let severity: Severity
  /// A stable word for scripts.
  let kind: Kind
  /// A sentence.
  let message: String

  init(_ severity: Severity, _ kind: Kind, _ message: String) {
    self.severity = severity
    self.kind = kind
    self.message = message
  }

  enum Kind: String, CaseIterable {
    case alteredTables = "altered-tables"
    case cacheOfAnotherVersion = "cache-of-another-version"
    case cloudKit = "cloudkit"
    case danglingReferences = "dangling-references"
    case entityCycle = "entity-cycle"
    case entityNumbers = "entity-numbers"
    case externalDataIrregular = "external-data-irregular"
    case externalDataMalformed = "external-data-malformed"
    case externalDataMissing = "external-data-missing"
    case highWaterMark = "high-water-mark"
    case indexMissing = "index-missing"
    case indexSurplus = "index-surplus"
    case indexUnderOldName = "index-under-old-name"
    case log
    case metadata
    case missingEntity = "missing-entity"
    case missingTable = "missing-table"
    case model
    case noVersionHashes = "no-version-hashes"
    case staleName = "stale-name"
    case strayKeys = "stray-keys"
    case strayRows = "stray-rows"
    case surplusColumns = "surplus-columns"
    case tablesOfAnotherVersion = "tables-of-another-version"
    case unknownTables = "unknown-tables"
    case unreadableCache = "unreadable-cache"
    case unsettledLayout = "unsettled-layout"
    case viewsAndTriggers = "views-and-triggers"
    case withoutRowID = "without-rowid"
    case xmlStore = "xml-store"
  }
}
