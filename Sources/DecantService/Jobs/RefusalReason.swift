internal import DecantMigration
package import DecantReport

/// `reason.json`: why a job is in `failed/`, with stable keys.
package struct RefusalReason: Sendable, Hashable, Codable {
  package var reason: FailureReason
  package var message: String
  /// The lines after the message: the faulty line of a text file, and the findings that the message sums up.
  package var details: [String]
  package var advice: String
  /// Core Data's error code, if there is one.
  package var coreDataCode: Int?
  package var family: String?
  /// The path of the store in the job's folder, as in the file system; `original` if no file is known as the store.
  package var file: String
  /// The store's name in printable form (`PrintedName`).
  package var store: String
  /// The drop's name in `incoming/` in printable form.
  package var drop: String
  package var job: String
  /// When the drop was taken, in UTC.
  package var claimed: String
  /// When the drop was refused, in UTC.
  package var time: String
  package var decantVersion: String
  /// The number of attempts, as in the message; 0 if the reason didn't come from a worker's run.
  ///
  /// The number counts deaths of workers, faults of Decant or a policy, and the attempt that refused the store.
  package var attempts: Int
  /// A digest of the names, sizes and write times of the refused files; `nil` if it isn't known.
  package var files: String?

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
    files = record.fingerprint.isEmpty ? nil : record.fingerprint
  }
}
