internal import DecantPasses
package import DecantSQLite
internal import DecantStore
internal import Foundation

/// Copies a finished step's associations into the job's association file, before the association tables are dropped
/// from the working file.
package struct AssociationKeeping: Sendable {
  /// The job's file, in its work folder.
  let path: String
  /// The step's number, from 1.
  let step: Int
  let sourceVersion: String
  let destinationVersion: String
  let digest: String

  package init(path: String, step: Int, sourceVersion: String, destinationVersion: String, digest: String) {
    self.path = path
    self.step = step
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.digest = digest
  }

  private static let schema = "kept"

  /// Whether the file already holds this step with the same digest.
  package func isDone() throws(SQLiteError) -> Bool {
    try SQLiteDatabase.leftover(path) { file throws(SQLiteError) in
      try file.rows("SELECT digest FROM work WHERE step = ?", [.integer(Int64(step))]).first?.first
    } == .text(digest)
  }

  /// Writes the step in one transaction.
  ///
  /// For the first step the file is made anew, because it has no older content to keep. Its writes don't wait for the
  /// disk then, so the caller has to sync the file.
  ///
  /// - Parameters:
  ///   - database: The filled working file, as `main`.
  ///   - complete: The destination entities whose associated objects all exist, as in `StepCounts`.
  ///   - time: The value of `now()`.
  func write(_ program: any StepProgram, from database: SQLiteDatabase, complete: Set<String>, time: Double)
    throws
  {
    let isFirst = step == 1
    try isFirst ? makeAnew() : makeIfNeeded()
    try database.attach(path, as: Self.schema)
    defer { try? database.detach(Self.schema) }
    if isFirst {
      try database.execute(
        "PRAGMA \(Self.schema).journal_mode=MEMORY; PRAGMA \(Self.schema).synchronous=OFF")
    }
    try database.transaction { () throws(SQLiteError) in
      for table in ["work"] + KeptAssociations.stepTables {
        try database.execute("DELETE FROM \(Self.schema).\(table) WHERE step = \(step)")
      }
      try database.prepare("INSERT INTO \(Self.schema).steps VALUES (?, ?, ?, ?)").run([
        .integer(Int64(step)), .text(sourceVersion), .text(destinationVersion), .real(time),
      ])
      for mapping in program.keptMappings {
        try insert(mapping, database)
        let isComplete = complete.contains(mapping.destination)
        let rows = KeptRows(program, mapping, isComplete: isComplete, step: step, schema: Self.schema)
        for statement in rows.statements { try database.execute(statement) }
      }
      try database.prepare("INSERT INTO \(Self.schema).work VALUES (?, ?)").run([
        .integer(Int64(step)), .text(digest),
      ])
    }
  }

  /// Makes the job's file, unless there is a file with the tables.
  ///
  /// A killed run may leave a file without tables.
  private func makeIfNeeded() throws {
    let tables = try SQLiteDatabase.leftover(path) { file throws(SQLiteError) in
      try file.integer("SELECT count(*) FROM sqlite_master WHERE name IN ('work', 'shared')")
    }
    if tables != 2 { try makeAnew() }
  }

  private func makeAnew() throws {
    for suffix in ["", "-journal"] { unlink(path + suffix) }
    try KeptAssociations.make(at: path)
  }

  private func insert(_ mapping: KeptMapping, _ database: SQLiteDatabase) throws(SQLiteError) {
    try database.prepare("INSERT INTO \(Self.schema).mappings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run([
      .integer(Int64(step)), .integer(Int64(mapping.number)), .integer(Int64(mapping.pass)),
      .text(mapping.passName), .text(mapping.name), .text(mapping.source), .text(mapping.destination),
      .text(mapping.way.rawValue), mapping.policy.map(SQLiteValue.text) ?? .null,
    ])
  }
}
