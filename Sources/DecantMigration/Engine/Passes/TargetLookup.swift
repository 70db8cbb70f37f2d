internal import DecantSQLite

/// `decant_target(mapping, source key)`: the destination key that a mapping has associated with a source object, or NULL.
///
/// Only mappings that have made all their objects may be asked. Keys that come up in order are read ahead.
/// `@unchecked Sendable`: touched on the step's own queue alone.
final class TargetLookup: @unchecked Sendable {
  static let target = "decant_target"
  /// The mappings whose associations are blocks.
  private let blocks: Set<Int64>
  /// How many runs are read ahead, and after how many keys in order.
  private static let ahead = 512
  private static let enough = 4

  private struct Run {
    let first: Int64
    let length: Int64
    let destination: Int64
  }

  /// Runs of one mapping in order, without a gap that holds another run.
  private final class Window {
    let mapping: Int64
    var runs: ContiguousArray<Run> = []
    var place = 0
    /// The key for which the runs were read: from it on, none is missing.
    var from: Int64 = .max
    var last: Int64 = .min
    /// How many keys have come in order.
    var streak = 0
    /// Whether no run comes after these.
    var isLast = false

    init(_ mapping: Int64) { self.mapping = mapping }
  }

  /// Few, so that they are looked through.
  private var windows: ContiguousArray<Window> = []
  private var statement: SQLiteStatement?
  private var blockStatement: SQLiteStatement?

  /// - Parameter blocks: The numbers of the mappings whose associations are blocks.
  init(blocks: Set<Int64> = []) { self.blocks = blocks }

  /// Lets the statements of a connection call the function.
  func register(in database: SQLiteDatabase) {
    database.register(Self.target, arguments: 2) { [unowned self, unowned database] arguments in
      // A reference is a whole number, or it leads nowhere.
      arguments.isInteger(1)
        ? try destination(of: arguments.integer(1), mapping: arguments.integer(0), in: database) : nil
    }
  }

  /// Forgets what was read ahead, because the associations may be others now.
  func forget() { windows = [] }

  /// Lets go of the connection.
  func close() {
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
    // Mostly the run that the key before was in.
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
    /// The runs at hand don't reach the key.
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

  /// Reads the run that a source key may be in and those after it.
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

  /// Reads the block that a source key may be in and those after it.
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
