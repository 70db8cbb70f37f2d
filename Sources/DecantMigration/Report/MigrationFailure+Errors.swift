internal import DecantPasses
package import DecantReport
internal import DecantSQLite
package import DecantStore
package import Foundation

extension MigrationFailure {
  package init(_ error: StoreError, family: String? = nil) {
    if case .sqlite(let error) = error, error.interruption == .request {
      self.init(running: StepFailure.stopped, family: family)
      return
    }
    if let failure = error.diskFailure {
      self.init(failure, family: family)
      return
    }
    if case .unsettledTables(let path, let version, let open) = error {
      self.init(
        Self.reason(error), coreDataCode: Self.code(error),
        message: "\(path) is of version “\(version)”: it isn't known for certain how Core Data stores this.",
        details: open.map(\.description), advice: error.advice, family: family)
      return
    }
    self.init(
      Self.reason(error), error.mayGetBetter ? .retry : .refuse,
      coreDataCode: error.mayGetBetter ? nil : Self.code(error), message: error.description,
      advice: error.advice,
      family: family)
  }

  /// Whether an error of a running step shows damage that may be in a working file.
  ///
  /// An error of SQLite may also come from damage in the source.
  ///
  /// - Parameter workFolder: The folder with the stores of earlier steps.
  package static func isDamagedWork(_ error: any Error, in workFolder: URL) -> Bool {
    func isStep(_ path: String) -> Bool { path.hasPrefix(workFolder.appendingPathComponent("step-").path) }
    switch error {
    case StepFailure.damagedResult: return true
    case let error as SQLiteError: return error.isDamage
    // The source has its own checks. So these errors count only for a step's file.
    case StoreError.damaged(let path, _), StoreError.damagedMetadata(let path, _),
      StoreError.notSQLite(let path), StoreError.probablyEncrypted(let path),
      StoreError.truncated(let path, _, _),
      StoreError.empty(let path), StoreError.notCoreData(let path, _), StoreError.noVersionHashes(let path, _),
      StoreError.tooSlow(let path, _), StoreError.tablesOfAnotherVersion(let path, _, _),
      StoreError.unsettledTables(let path, _, _),
      StoreError.unknownTables(let path, _), StoreError.viewsAndTriggers(let path, _),
      StoreError.entityNumbers(let path, _, _, _),
      StoreError.strayRows(let path, _, _, _, _), StoreError.strayKeys(let path, _):
      return isStep(path)
    case StoreError.sqlite(let error): return error.isDamage
    default: return false
    }
  }

  /// The failure for damage in a working file, which has been removed.
  package init(damagedWork error: any Error, family: String?) {
    self.init(
      .damagedWork,
      message:
        "One of Decant's working files was damaged and has been removed: \(error). The store itself is sound.",
      advice:
        "Run the migration again; it begins from the start. If this happens again, check the disk, or report it.",
      family: family)
  }

  /// The failure for an error of a running step.
  ///
  /// - Parameter store: The store's file name.
  package init(running error: any Error, family: String?, store: String? = nil) {
    func placed(_ message: String) -> String { (store.map { "\($0): " } ?? "") + message }
    switch error {
    case let failure as MigrationFailure: self = failure
    case let error as StoreError: self.init(error, family: family)
    case let error as SQLiteError where error.isNoRoom:
      self.init(
        error.isFileLimit ? .fileLimit : .noRoom,
        message: error.isFileLimit
          ? "A file would be larger than the limit on file sizes allows: \(error)."
          : "There is no free space left: \(error).",
        advice: error.roomAdvice, family: family)
    case let error as SQLiteError where error.mayGetBetter || error.isDamage || error.isConstraint:
      self.init(StoreError.sqlite(error), family: family)
      if error.isConstraint { disposition = .refuse }
    case let error as SQLiteError where error.isTooLarge:
      self.init(
        .valueTooLarge, message: "A value is too large for a row: \(error).",
        advice: "Keep “Allows External Storage” switched on for that attribute.", family: family)
    case let error as SQLiteError where error.isInterrupt:
      self.init(running: StepFailure.stopped, family: family)
    case StepFailure.stopped:
      self.init(
        .stopped, coreDataCode: 134_120, message: "\(error)",
        advice: "Run the migration again; it continues where it ended.", family: family)
    case StepFailure.duplicates:
      self.init(
        .notUnique, message: placed("\(error)"),
        advice:
          "Remove the duplicates, write a mapping model that merges them, or set validation: \"quarantine\", "
          + "which keeps the first and quarantines the others; \"report\" can't accept them.", family: family)
    case StepFailure.invalid(let findings, let isInferred):
      self.init(
        .invalidObjects,
        coreDataCode: findings.count == 1 ? findings.first?.code : 1560, message: placed("\(error)"),
        advice: isInferred
          ? "The step is inferred, so these values come from the store itself. Correct them with the application's old version, "
            + "or write a mapping model that gives other values or leaves out such objects with a filter. "
            + "If the application can handle them, set validation: \"report\" in family.json5. validation: "
            + "\"quarantine\" moves them to a quarantine."
          : "\(Self.remedy(findings)), or leave out such objects with a filter. If the application can handle "
            + "them, set validation: \"report\". validation: \"quarantine\" moves them to a quarantine.",
        family: family)
    case StepFailure.chunks:
      self.init(
        .chunkPredicates, message: placed("\(error)"),
        advice:
          "Correct “chunks” so that each row satisfies exactly one predicate, or remove “chunks”. A comparison "
          + "with nil is false: add a predicate such as “date == nil”.", family: family)
    case StepFailure.policy(_, _, let policy, _, _, _):
      self.init(
        policy == nil ? .valuesDoNotFit : .policyFailed, message: placed("\(error)"),
        advice: policy == nil
          ? "Change the expression, or leave out such objects with a filter."
          : "Fix the policy, then try again; the store is unchanged.", family: family)
    case StepFailure.expression(let fault):
      self.init(
        .valuesDoNotFit, message: placed(fault.description), advice: fault.advice, family: family)
    case StepFailure.badValue:
      self.init(
        .valuesDoNotFit, message: placed("\(error)"),
        advice: "Change the expression, or leave out such objects with a filter.", family: family)
    case let error as CocoaError:
      self.init(
        .files, message: "A file can't be read or written: \(error.localizedDescription).",
        advice: "Check permissions and free space, then try again.", family: family)
    default:
      self.init(
        .fault, coreDataCode: 134_110, message: placed("\(error)"),
        advice: "Please report this with the store's model versions.", family: family)
    }
  }

  /// What has to be changed so that the objects become valid: the code or rule that made them.
  private static func remedy(_ findings: [StepFailure.Invalid]) -> String {
    let origins = findings.flatMap(\.origins.values)
    let isPolicy = origins.contains(where: \.isOfPolicy)
    let isMapping = origins.isEmpty || !origins.allSatisfy(\.isOfPolicy)
    switch (isMapping, isPolicy) {
    case (false, true): return "Fix the policy"
    case (true, true): return "Change the expressions, fix the policy"
    default: return "Change the expressions"
    }
  }

  package static func reason(_ error: StoreError) -> FailureReason {
    switch error {
    case .noSuchFile: .noSuchFile
    case .notARegularFile: .notAFile
    case .unreadable: .unreadable
    case .empty: .empty
    case .xmlStore: .xmlStore
    case .notXMLStore: .notCoreData
    case .damagedXML: .damaged
    case .xmlContent: .inconsistentStore
    case .binaryStore: .binaryStore
    case .notSQLite: .notSQLite
    case .probablyEncrypted: .encrypted
    case .truncated: .truncated
    case .damaged: .damaged
    case .foreignLog: .foreignWal
    case .otherForm: .otherNormalForm
    case .tooSlow: .tooSlow
    case .notCoreData: .notCoreData
    case .noVersionHashes: .noVersionHashes
    case .damagedMetadata: .damagedMetadata
    case .tablesOfAnotherVersion: .tablesOfAnotherVersion
    case .unsettledTables: .unsettledLayout
    case .unknownTables: .unknownTables
    case .viewsAndTriggers: .viewsAndTriggers
    case .cloudKit: .cloudKit
    case .unsupportedModel: .unsupportedModel
    case .entityNumbers, .strayRows, .strayKeys, .withoutRowID: .inconsistentStore
    case .sqlite(let error):
      if error.diskFailure != nil {
        .disk
      } else if error.isFileLimit {
        .fileLimit
      } else {
        error.isNoRoom ? .noRoom : error.isDamage ? .damaged : .sqlite
      }
    case .files: .files
    case .disk: .disk
    }
  }

  /// Core Data's code for a fault of a store.
  package static func code(_ error: StoreError) -> Int? {
    switch error {
    case .otherForm: 259
    case .unsettledTables: 134_020
    case .sqlite: 134_110
    default: reason(error).coreDataCode
    }
  }
}
