package import DecantSQLite

/// The function `decant_target(mapping, source key)`.
///
/// It gives the destination key that a mapping has associated with a source object, or NULL.
///
/// It may be called only for mappings that have made all their objects. If source keys come in ascending order, the
/// following runs are read ahead.
///
/// `@unchecked Sendable`: only the step's own queue touches it.
package final class TargetLookup: @unchecked Sendable {
  static let target = "decant_target"
  /// The mappings whose associations are blocks (`SharedBlock`).
  private let blocks: Set<Int64>
  private static let ahead = 512
  /// The number of keys in ascending order after which runs are read ahead.
  private static let enough = 4

  private struct Run {
    let first: Int64
    let length: Int64
    let destination: Int64
  }

  /// Consecutive runs of one mapping, in order.
  private final class Window {
    let mapping: Int64
    var runs: ContiguousArray<Run> = []
    var place = 0
    /// From this source key up to the last run in memory, no run is missing.
    var from: Int64 = .max
    /// The source key of the latest look-up.
    var last: Int64 = .min
    /// The number of keys that have come in ascending order, at most `enough`.
    var streak = 0
    /// Whether the mapping has no run after those in memory.
    var isLast = false

    init(_ mapping: Int64) { self.mapping = mapping }
  }

  /// One window for each mapping; the mappings are few, so a linear search is fast.
  private var windows: ContiguousArray<Window> = []
  private var statement: SQLiteStatement?
  private var blockStatement: SQLiteStatement?

  package init(blocks: Set<Int64> = []) { self.blocks = blocks }

  package func register(in database: SQLiteDatabase) throws(SQLiteError) {
    try database.register(Self.target, arguments: 2) { [unowned self, unowned database] arguments in
      // A reference that isn't a whole number has no target.
      arguments.isInteger(1)
        ? try destination(of: arguments.integer(1), mapping: arguments.integer(0), in: database) : nil
    }
  }

  /// Discards the runs that were read ahead, because the associations may have changed.
  package func forget() { windows = [] }

  package func close() {
    (statement, blockStatement) = (nil, nil)
    forget()
  }

  private func window(_ mapping: Int64) -> Window {
    for window in windows where window.mapping == mapping { return window }
    let made = Window(mapping)
    windows.append(made)
    return made
  }

  private func destination(of source: Int64, mapping: Int64, in database: SQLiteDatabase) throws -> Int64? {
    let window = window(mapping)
    window.streak = source >= window.last ? min(window.streak + 1, Self.enough) : 0
    window.last = source
    // Usually the key is in the same run as the key before.
    if window.place < window.runs.count {
      let run = window.runs[window.place]
      if source >= run.first, source - run.first < run.length { return run.destination + (source - run.first) }
    }
    switch Self.answer(source, window) {
    case .found(let destination): return destination
    case .none: return nil
    case .beyond: break
    }
    let count = window.streak == Self.enough ? Self.ahead : 1
    if blocks.contains(mapping) {
      try fillByBlocks(window, from: source, mapping: mapping, count: count, in: database)
    } else {
      try fill(window, from: source, mapping: mapping, count: count, in: database)
    }
    if case .found(let destination) = Self.answer(source, window) { return destination }
    return nil
  }

  private enum Answer {
    case found(Int64)
    case none
    /// The key is beyond the runs in memory.
    case beyond
  }

  private static func answer(_ source: Int64, _ window: Window) -> Answer {
    guard source >= window.from else { return .beyond }
    if window.streak == 0 { window.place = 0 }
    while window.place < window.runs.count {
      let run = window.runs[window.place]
      if source < run.first { return .none }
      if source - run.first < run.length { return .found(run.destination + (source - run.first)) }
      window.place += 1
    }
    return window.isLast ? .none : .beyond
  }

  private func fill(
    _ window: Window, from source: Int64, mapping: Int64, count: Int, in database: SQLiteDatabase
  ) throws {
    let statement =
      try self.statement
      ?? database.prepare(
        "SELECT first, length, destination FROM main.\(Associations.runs) WHERE mapping = ?1 AND first >= ifnull("
          + "(SELECT max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2), ?2) "
          + "ORDER BY first LIMIT ?3")
    self.statement = statement
    try statement.bind(.integer(mapping), at: 1)
    try statement.bind(.integer(source), at: 2)
    try statement.bind(.integer(Int64(count)), at: 3)
    defer { statement.reset() }
    window.runs.removeAll(keepingCapacity: true)
    window.place = 0
    window.from = source
    while try statement.step() {
      window.runs.append(
        Run(
          first: Int64(statement.integer(0)), length: Int64(statement.integer(1)),
          destination: Int64(statement.integer(2))))
    }
    window.isLast = window.runs.count < count
  }

  private func fillByBlocks(
    _ window: Window, from source: Int64, mapping: Int64, count: Int, in database: SQLiteDatabase
  ) throws {
    let statement =
      try blockStatement
      ?? database.prepare(
        "SELECT first, destinations FROM main.\(Associations.shared) WHERE mapping = ?1 AND first >= ifnull("
          + "(SELECT max(first) FROM main.\(Associations.shared) WHERE mapping = ?1 AND first <= ?2), ?2) "
          + "ORDER BY first")
    blockStatement = statement
    try statement.bind(.integer(mapping), at: 1)
    try statement.bind(.integer(source), at: 2)
    defer { statement.reset() }
    window.runs.removeAll(keepingCapacity: true)
    window.place = 0
    window.from = source
    window.isLast = false
    while window.runs.count < count {
      guard try statement.step() else {
        window.isLast = true
        return
      }
      let first = Int64(statement.integer(0))
      guard let keys = SharedBlock.keys(statement.string(1)) else {
        throw SharedBlock.damage(at: first, in: database.path)
      }
      window.from = min(window.from, first)
      for (place, key) in keys.enumerated() {
        guard let key else { continue }
        window.runs.append(Run(first: first + Int64(place), length: 1, destination: key))
      }
    }
  }
}
