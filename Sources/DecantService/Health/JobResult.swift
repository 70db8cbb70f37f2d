package import DecantReport

/// The end of a job, as `/status` shows it.
package struct JobResult: Sendable, Hashable, Codable {
  package enum Place: String, Sendable, Codable {
    case done
    case failed
  }

  package var job: String
  package var drop: String
  package var store: String
  package var bytes: Int64
  /// The spool's folder to which the job's files were moved.
  package var place: Place
  /// The path of the job's folder.
  package var folder: String
  /// When the job left `work/`, in UTC.
  package var ended: String
  /// `migrated` or `alreadyCurrent`; the keys from `result` to `warnings` are only set with `done`.
  package var result: String?
  package var from: String?
  package var to: String?
  package var seconds: Double?
  /// The number of source objects in the last step, and the number of them that were migrated.
  package var source: Int?
  package var rows: Int?
  /// The numbers of source objects with another outcome.
  package var withoutValue: Int?
  package var filtered: Int?
  package var refused: Int?
  package var leftOut: Int?
  package var losses: Int?
  package var lostValues: Int?
  package var warnings: Int?
  /// The reason's word; the keys from `reason` to `coreDataCode` are only set with `failed`.
  package var reason: String?
  package var message: String?
  package var advice: String?
  /// Core Data's error code, if there is one.
  package var coreDataCode: Int?

  /// Creates a result from the record alone; `take` adds a report or a failure.
  ///
  /// - Parameter now: Seconds since 1970.
  package init(_ record: JobRecord, folder: String, at now: Double) {
    job = record.id
    drop = record.drop.description
    store = record.title
    bytes = record.bytes
    place = record.state == .delivering ? .done : .failed
    self.folder = folder
    ended = Timestamp.text(now)
  }

  package mutating func take(_ report: MigrationReport) {
    (result, from, to) = (report.result.rawValue, report.sourceVersion, report.targetVersion)
    seconds = (report.seconds * 1000).rounded() / 1000
    if report.result == .migrated {
      let sum = (report.steps.last?.entities ?? []).sum()
      (source, rows) = (sum.source, sum.migrated)
      (withoutValue, filtered, refused, leftOut) = (sum.withoutValue, sum.filtered, sum.refused, sum.leftOut)
    }
    let real = report.realLosses
    (losses, lostValues, warnings) = (real.count, real.lostValues, report.warnings.count)
  }

  package mutating func take(_ failure: MigrationFailure) {
    (reason, message) = (failure.reason.word, failure.message)
    advice = failure.advice.isEmpty ? nil : failure.advice
    coreDataCode = failure.coreDataCode
  }
}
