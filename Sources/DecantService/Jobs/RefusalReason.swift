package import DecantMigration

/// `reason.json`: why a job is in `failed/`, with stable keys.
package struct RefusalReason: Sendable, Hashable, Codable {
  /// A stable word such as `not-sqlite`.
  package var reason: String
  package var message: String
  /// What the message sums up, where that is several things.
  package var details: [String]
  package var advice: String
  /// Core Data's error code where it has one.
  package var coreDataCode: Int?
  package var family: String?
  /// The path of the store in the job's folder, as the file system has it.
  package var file: String
  /// The store's name as people read it (`PrintedName`).
  package var store: String
  /// The name in `incoming/` under which it came, as people read it.
  package var drop: String
  package var job: String
  /// When the drop was taken, in UTC.
  package var claimed: String
  /// When it was refused, in UTC.
  package var time: String
  package var decantVersion: String
  /// The attempts that it took, as the message counts them: workers that died of the store and faults of Decant's own,
  /// and the one that refused it; 0 where no worker was needed to refuse it.
  package var attempts: Int

  package init(_ record: JobRecord, _ failure: MigrationFailure, at now: Double) {
    reason = failure.reason
    message = failure.message
    details = failure.lines
    advice = failure.advice
    coreDataCode = failure.coreDataCode
    family = failure.family ?? record.family
    file = "original" + (record.store.map { "/" + $0.text } ?? "")
    store = record.title
    drop = record.drop.description
    job = record.id
    claimed = Timestamp.text(record.claimedAt)
    time = Timestamp.text(now)
    decantVersion = Migration.decantVersion
    attempts = record.attempts ?? 0
  }
}
