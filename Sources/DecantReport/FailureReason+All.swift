/// All reasons that a person may see, in the alphabetical order of their words.
///
/// decant(1) explains the meaning and the exit codes of each reason. `ManualPageTests` compares the page and this list.
extension FailureReason {
  public static let ambiguousFamily = Self("ambiguous-family", .refuse, code: 134_130, shownBy: .catalogue)
  /// The socket's daemon answers too late or not completely, is too old, or isn't `decantd`.
  public static let badAnswer = Self("bad-answer", .fault, exits: [70, 74])
  public static let badData = Self("bad-data", .refuse)
  public static let badMappingModel = Self("bad-mapping-model", .catalogue, code: 134_110)
  public static let badModel = Self("bad-model", .refuse)
  public static let badRequest = Self("bad-request", .refuse, exits: [])
  public static let binaryStore = Self("binary-store", .refuse, code: 259, shownBy: .store)
  public static let brokenFamily = Self("broken-family", .catalogue)
  public static let cancelled = Self("cancelled", .refuse, exits: [])
  public static let cantCreate = Self("cant-create", .refuse, exits: [73])
  public static let catalogueUnreadable = Self("catalogue-unreadable", .catalogue)
  public static let chunkPredicates = Self("chunk-predicates", .refuse, code: 134_110, shownBy: .rows)
  public static let cloudKit = Self("cloudkit", .refuse, code: 134_020, shownBy: .store)
  public static let damaged = Self("damaged", .refuse, code: 259, shownBy: .store)
  public static let damagedMetadata = Self("damaged-metadata", .refuse, code: 134_020, shownBy: .store)
  public static let damagedWork = Self("damaged-work", .fault)
  public static let dataLoss = Self(
    "data-loss", .refuse, code: 134_110, shownBy: .rows, isFixedInCatalogue: true)
  public static let directionUnknown = Self("direction-unknown", .refuse, code: 134_140)
  public static let disk = Self("disk", .retry, exits: [74])
  public static let empty = Self("empty", .refuse, code: 259, shownBy: .store)
  public static let encrypted = Self("encrypted", .refuse, code: 259, shownBy: .store)
  public static let externalDataMissing = Self("external-data-missing", .refuse, code: 134_110, shownBy: .store)
  public static let fault = Self("fault", .fault)
  public static let fileLimit = Self("file-limit", .retry, exits: [74, 75])
  public static let files = Self("files", .retry, exits: [74, 66, 75, 77])
  public static let foreignAssociations = Self("foreign-associations", .refuse)
  public static let foreignWal = Self("foreign-wal", .refuse, code: 259, shownBy: .store)
  public static let inconsistentStore = Self("inconsistent-store", .refuse, code: 134_020, shownBy: .store)
  public static let inferenceRefused = Self(
    "inference-refused", .refuse, code: 134_140, isFixedInCatalogue: true)
  public static let invalidObjects = Self(
    "invalid-objects", .refuse, code: 1560, shownBy: .rows, isFixedInCatalogue: true)
  public static let irregularFile = Self("irregular-file", .refuse, exits: [])
  public static let lostRecord = Self("lost-record", .refuse, exits: [])
  public static let mergedMappingModel = Self("merged-mapping-model", .refuse, code: 134_140)
  public static let needsAssociations = Self("needs-associations", .refuse)
  public static let needsPolicy = Self("needs-policy", .catalogue, code: 134_110)
  public static let noCatalogue = Self("no-catalogue", .catalogue, exits: [66])
  public static let noConfiguration = Self("no-configuration", .refuse)
  public static let noDaemon = Self("no-daemon", .retry, exits: [69])
  public static let noRoom = Self("no-room", .retry, exits: [74, 75])
  public static let noStore = Self("no-store", .refuse, exits: [])
  public static let noSuchFile = Self("no-such-file", .refuse, exits: [66], code: 260)
  public static let noSuchJob = Self("no-such-job", .refuse, exits: [66])
  public static let noTarget = Self("no-target", .catalogue)
  public static let noVersionHashes = Self("no-version-hashes", .refuse, code: 134_100, shownBy: .store)
  public static let notAFile = Self("not-a-file", .refuse)
  public static let notCoreData = Self("not-core-data", .refuse, code: 134_020, shownBy: .store)
  public static let notInferable = Self("not-inferable", .refuse, code: 134_190, isFixedInCatalogue: true)
  public static let notMergeable = Self("not-mergeable", .refuse)
  public static let notSQLite = Self("not-sqlite", .refuse, code: 259, shownBy: .store)
  public static let notUnique = Self("not-unique", .refuse, code: 133_021, shownBy: .rows)
  public static let olderTarget = Self("older-target", .refuse, code: 134_140)
  public static let otherNormalForm = Self("other-normal-form", .refuse)
  public static let passOrder = Self("pass-order", .catalogue, code: 134_110)
  public static let permission = Self("permission", .refuse, exits: [77])
  public static let policyFailed = Self("policy-failed", .refuse, code: 134_110, shownBy: .rows)
  public static let reservedName = Self("reserved-name", .refuse, exits: [])
  public static let severalPaths = Self("several-paths", .refuse, code: 134_140)
  public static let severalStores = Self("several-stores", .refuse, exits: [])
  public static let sourceChanged = Self("source-changed", .retry, exits: [])
  public static let spool = Self("spool", .retry, exits: [])
  public static let sqlite = Self("sqlite", .refuse, exits: [65, 75], shownBy: .store)
  public static let staleMappingModel = Self("stale-mapping-model", .catalogue, code: 134_110)
  public static let stopped = Self("stopped", .stopped)
  public static let tablesOfAnotherVersion = Self(
    "tables-of-another-version", .refuse, code: 134_020, shownBy: .catalogue)
  public static let tooSlow = Self("too-slow", .retry, exits: [65, 75])
  public static let truncated = Self("truncated", .refuse, code: 259, shownBy: .store)
  public static let unexpectedFiles = Self("unexpected-files", .refuse, exits: [])
  public static let unknownFamily = Self("unknown-family", .refuse, exits: [64])
  public static let unknownTables = Self("unknown-tables", .refuse, code: 134_020, shownBy: .catalogue)
  public static let unknownTarget = Self("unknown-target", .refuse, exits: [64])
  public static let unknownVersion = Self("unknown-version", .refuse, code: 134_100, shownBy: .catalogue)
  public static let unreadable = Self("unreadable", .retry, exits: [74, 75])
  public static let unsettledLayout = Self(
    "unsettled-layout", .refuse, shownBy: .catalogue, isFixedInCatalogue: true)
  public static let unsupportedModel = Self("unsupported-model", .refuse, code: 134_020, shownBy: .catalogue)
  public static let unusableVersion = Self("unusable-version", .refuse, code: 134_130)
  public static let usage = Self("usage", .refuse, exits: [64])
  public static let valueTooLarge = Self("value-too-large", .refuse, shownBy: .rows)
  public static let valuesDoNotFit = Self(
    "values-do-not-fit", .refuse, code: 134_110, shownBy: .rows, isFixedInCatalogue: true)
  public static let viewsAndTriggers = Self(
    "views-and-triggers", .refuse, code: 134_020, shownBy: .catalogue)
  public static let workFolderBusy = Self("work-folder-busy", .retry)
  public static let workerDied = Self("worker-died", .fault)
  public static let workerHung = Self("worker-hung", .fault)
  public static let workerUnusable = Self("worker-unusable", .catalogue)
  public static let xmlStore = Self("xml-store", .refuse, code: 259)

  /// All reasons that a person may see.
  public static let all: [FailureReason] = [
    .ambiguousFamily, .badAnswer, .badData, .badMappingModel, .badModel, .badRequest, .binaryStore,
    .brokenFamily,
    .cancelled, .cantCreate, .catalogueUnreadable, .chunkPredicates, .cloudKit, .damaged, .damagedMetadata,
    .damagedWork,
    .dataLoss, .directionUnknown, .disk, .empty, .encrypted, .externalDataMissing, .fault, .fileLimit,
    .files,
    .foreignAssociations, .foreignWal, .inconsistentStore, .inferenceRefused, .invalidObjects, .irregularFile,
    .lostRecord, .mergedMappingModel, .needsAssociations, .needsPolicy, .noCatalogue, .noConfiguration,
    .noDaemon, .noRoom,
    .noStore, .noSuchFile, .noSuchJob, .noTarget, .noVersionHashes, .notAFile, .notCoreData, .notInferable,
    .notMergeable,
    .notSQLite, .notUnique, .olderTarget, .otherNormalForm, .passOrder, .permission, .policyFailed,
    .reservedName, .severalPaths, .severalStores, .sourceChanged, .spool, .sqlite, .staleMappingModel, .stopped,
    .tablesOfAnotherVersion, .tooSlow, .truncated, .unexpectedFiles, .unknownFamily, .unknownTables,
    .unknownTarget, .unknownVersion, .unreadable, .unsettledLayout, .unsupportedModel, .unusableVersion, .usage,
    .valueTooLarge, .valuesDoNotFit, .viewsAndTriggers,
    .workFolderBusy, .workerDied, .workerHung, .workerUnusable, .xmlStore,
  ]
}
