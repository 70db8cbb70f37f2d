internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Puts a finished step's associations into the job's own file, before the working file gives up its tables.
struct AssociationKeeping: Sendable {
  /// The job's file, in its work folder.
  let path: String
  /// The step, from 1.
  let step: Int
  let sourceVersion: String
  let destinationVersion: String
  /// What the step is made from.
  let digest: String

  private static let schema = "kept"

  /// Whether the file has the step already, made from the same.
  var isDone: Bool {
    guard FileManager.default.fileExists(atPath: path),
      let database = try? SQLiteDatabase(path, mode: .readWrite),
      let rows = try? database.rows("SELECT digest FROM work WHERE step = ?", [.integer(Int64(step))])
    else { return false }
    return rows.first?.first == .text(digest)
  }

  /// Writes the step in one transaction, and makes it durable.
  ///
  /// - Parameters:
  ///   - database: The filled working file, as `main`.
  ///   - complete: As in `StepCounts`.
  ///   - time: What `now()` stood for.
  func write(_ program: any StepProgram, from database: SQLiteDatabase, complete: Set<String>, time: Double)
    throws
  {
    if !isThere { try KeptAssociations.make(at: path) }
    try database.attach(path, as: Self.schema)
    defer { try? database.detach(Self.schema) }
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
    try FileCopy.sync(path)
  }

  /// Whether the job's file is there and has its tables: one that a kill left without them is made anew.
  private var isThere: Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    if let database = try? SQLiteDatabase(path, mode: .readWrite),
      (try? database.integer("SELECT count(*) FROM sqlite_master WHERE name IN ('work', 'shared')")) == 2
    {
      return true
    }
    for suffix in ["", "-journal"] { unlink(path + suffix) }
    return false
  }

  private func insert(_ mapping: KeptMapping, _ database: SQLiteDatabase) throws(SQLiteError) {
    try database.prepare("INSERT INTO \(Self.schema).mappings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run([
      .integer(Int64(step)), .integer(Int64(mapping.number)), .integer(Int64(mapping.pass)),
      .text(mapping.passName), .text(mapping.name), .text(mapping.source), .text(mapping.destination),
      .text(mapping.way.rawValue), mapping.policy.map(SQLiteValue.text) ?? .null,
    ])
  }
}
