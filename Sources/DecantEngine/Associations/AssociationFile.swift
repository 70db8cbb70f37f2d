package import DecantPasses
internal import DecantSQLite
internal import Foundation

/// An association file, opened for reading.
package final class AssociationFile: Sendable {
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    /// Not an association file, or one of a format that this version doesn't know.
    case foreign(path: String)

    package var description: String {
      switch self {
      case .unreadable(let path, let reason): "\(path) can't be read: \(reason)."
      case .foreign(let path):
        "\(path) isn't an association file, or another version of Decant has written it."
      }
    }
  }

  /// One step; number 0 stands for the whole chain.
  package struct Step: Sendable, Hashable {
    package let number: Int
    package let sourceVersion: String
    package let destinationVersion: String
    /// The value of `now()`, in seconds since 2001.
    package let time: Double
  }

  /// One entity mapping of a step, with the numbers of its runs and associations.
  package struct Mapping: Sendable, Hashable {
    package let step: Int
    package let mapping: KeptMapping
    /// The number of rows in the tables `runs` and `shared`: runs, and blocks (`SharedBlock`).
    package let runs: Int
    /// The number of associations in runs and blocks.
    package let inRuns: Int
    /// The number of other associations.
    package let pairs: Int

    package var associations: Int { inRuns.addingReportingOverflow(pairs).partialValue }
  }

  package let path: String
  package let uuid: String
  /// The store's file name and the version of Decant, for people to read.
  package let store: String
  package let decantVersion: String
  package let steps: [Step]
  package let mappings: [Mapping]
  private let database: SQLiteDatabase
  private let hasBlocks: Bool

  package init(_ path: String) throws(Failure) {
    self.path = path
    do {
      database = try SQLiteDatabase(path, mode: .immutable)
      let names = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first)
      guard ["file", "steps", "mappings", "runs", "pairs"].allSatisfy({ names.contains(.text($0)) }) else {
        throw Failure.foreign(path: path)
      }
      var facts: [String: SQLiteValue] = [:]
      for row in try database.rows("SELECT key, value FROM file LIMIT 100") {
        if case .text(let key) = row[0] { facts[key] = row[1] }
      }
      guard let format = facts["format"]?.integer, KeptAssociations.readable.contains(Int(clamping: format)),
        format == 1 || names.contains(.text("shared"))
      else { throw Failure.foreign(path: path) }
      hasBlocks = format > 1
      uuid = Self.text(facts["store_uuid"])
      store = Self.text(facts["store"])
      decantVersion = Self.text(facts["decant_version"])
      steps = try Self.steps(in: database)
      mappings = try Self.mappings(in: database, hasBlocks: hasBlocks)
    } catch let error as Failure {
      throw error
    } catch let error as SQLiteError {
      throw .unreadable(path: path, reason: error.message)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  private static func text(_ value: SQLiteValue?) -> String {
    if case .text(let text)? = value { text } else { "" }
  }

  private static func number(_ value: SQLiteValue) -> Int { value.integer.flatMap { Int(exactly: $0) } ?? 0 }

  private static func steps(in database: SQLiteDatabase) throws(SQLiteError) -> [Step] {
    try database.rows(
      "SELECT step, source_version, destination_version, CAST(now AS REAL) FROM steps ORDER BY step LIMIT 1000"
    ).map { row in
      let time: Double = if case .real(let time) = row[3] { time } else { 0 }
      return Step(
        number: number(row[0]), sourceVersion: text(row[1]), destinationVersion: text(row[2]), time: time)
    }
  }

  private static func mappings(in database: SQLiteDatabase, hasBlocks: Bool) throws(SQLiteError) -> [Mapping] {
    func sum(_ what: String, _ table: String) -> String {
      "(SELECT \(what) FROM \(table) AS t WHERE t.step = m.step AND t.mapping = m.mapping)"
    }
    let blocks = (
      count: hasBlocks ? sum("count(*)", "shared") : "0",
      objects: hasBlocks ? sum("total(objects)", "shared") : "0"
    )
    return try database.rows(
      "SELECT m.step, m.mapping, m.pass, m.pass_name, m.name, m.source_entity, m.destination_entity, m.way, m.policy, "
        + "\(sum("count(*)", "runs")) + \(blocks.count), "
        + "CAST(\(sum("total(length)", "runs")) + \(blocks.objects) AS INTEGER), \(sum("count(*)", "pairs")) "
        + "FROM mappings AS m ORDER BY m.step, m.mapping LIMIT 100000"
    ).map { row in
      Mapping(
        step: number(row[0]),
        mapping: KeptMapping(
          number: number(row[1]), pass: number(row[2]), passName: text(row[3]), name: text(row[4]),
          source: text(row[5]), destination: text(row[6]),
          way: KeptMapping.Way(rawValue: text(row[7])) ?? .rows,
          policy: row[8] == .null ? nil : text(row[8])),
        runs: number(row[9]), inRuns: number(row[10]), pairs: number(row[11]))
    }
  }

  /// An object at one end of an association.
  package struct Object: Sendable, Hashable {
    package let entity: String
    package let key: Int
  }

  /// Passes every association of a mapping to `body`: those in runs, then those in blocks, then all others.
  ///
  /// Each of these three groups is in the order of the source keys.
  ///
  /// - Parameter body: Returns false to end the reading.
  /// - Throws: `Failure.unreadable`, and the errors of `body`.
  package func associations(
    of entry: Mapping, _ body: (_ source: Object, _ destination: Object) throws -> Bool
  ) throws {
    let place = "WHERE step = \(entry.step) AND mapping = \(entry.mapping.number)"
    let mapping = entry.mapping
    do {
      let runs = try database.prepare("SELECT first, length, destination FROM runs \(place) ORDER BY first")
      while try runs.step() {
        let (first, length, destination) = (runs.integer(0), runs.integer(1), runs.integer(2))
        for offset in 0..<max(0, length) {
          let source = first.addingReportingOverflow(offset)
          let target = destination.addingReportingOverflow(offset)
          guard !source.overflow, !target.overflow else { break }
          guard
            try body(
              Object(entity: mapping.source, key: source.partialValue),
              Object(entity: mapping.destination, key: target.partialValue))
          else { return }
        }
      }
      guard try blocks(of: mapping, place, body) else { return }
      let pairs = try database.prepare(
        "SELECT source_entity, source, destination_entity, destination FROM pairs \(place) "
          + "ORDER BY source, source_entity, destination, destination_entity")
      while try pairs.step() {
        guard
          try body(
            Object(entity: pairs.string(0), key: pairs.integer(1)),
            Object(entity: pairs.string(2), key: pairs.integer(3)))
        else { return }
      }
    } catch let error as SQLiteError where error.path == path {
      throw Failure.unreadable(path: path, reason: error.message)
    }
  }

  /// - Returns: False if `body` ended the reading.
  private func blocks(
    of mapping: KeptMapping, _ place: String, _ body: (_ source: Object, _ destination: Object) throws -> Bool
  ) throws -> Bool {
    guard hasBlocks else { return true }
    let blocks = try database.prepare("SELECT first, destinations FROM shared \(place) ORDER BY first")
    while try blocks.step() {
      let first = blocks.integer(0)
      guard let keys = SharedBlock.keys(blocks.string(1)) else {
        throw SharedBlock.damage(at: Int64(first), in: path)
      }
      for (offset, key) in keys.enumerated() {
        let source = first.addingReportingOverflow(offset)
        guard !source.overflow else { break }
        guard let key else { continue }
        guard
          try body(
            Object(entity: mapping.source, key: source.partialValue),
            Object(entity: mapping.destination, key: Int(key)))
        else { return false }
      }
    }
    return true
  }

  package func uri(_ object: Object) -> String { "x-coredata://\(uuid)/\(object.entity)/p\(object.key)" }
}
