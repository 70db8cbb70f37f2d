/// A message of the daemon with the fields by which the journal is searched:
/// `journalctl DECANT_JOB=20261126T040308-000001`.
package struct JournalRecord: Sendable, Hashable {
  package var priority: ServiceLog.Priority
  package var message: String
  /// The name of the event or the problem.
  package var event: String
  /// The job's name, its drop and its store's file name; `nil` for a message about no job.
  package var job: String?
  package var drop: String?
  package var store: String?
  package var family: String?
  /// The name of the pass; `nil` if the message isn't about a pass.
  package var pass: String?

  init(
    _ priority: ServiceLog.Priority, _ message: String, event: String, about record: JobRecord? = nil,
    pass: String? = nil
  ) {
    self.pass = pass
    self.priority = priority
    self.message = message
    self.event = event
    job = record?.id
    drop = record?.drop.description
    store = record?.title
    family = record?.family
  }

  /// The fields as the journal takes them, each `NAME=value`.
  package var fields: [String] {
    let own: [(String, String?)] = [
      ("MESSAGE", message), ("PRIORITY", "\(priority.rawValue)"), ("SYSLOG_IDENTIFIER", "decantd"),
      ("MESSAGE_ID", MessageID.all[event]), ("DECANT_EVENT", event), ("DECANT_JOB", job), ("DECANT_DROP", drop),
      ("DECANT_STORE", store), ("DECANT_FAMILY", family), ("DECANT_PASS", pass),
    ]
    return own.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }
}
