internal import DecantPasses
internal import DecantReport

/// The rows of a step's pieces of work (`Work`), and the progress that follows from them.
package struct StepRows {
  private(set) var progress: MigrationProgress
  private let passNames: [String]
  private var totals: [Int] = []
  /// The rows that each piece has taken, in this run and earlier ones; `Int.max` for a finished piece.
  ///
  /// Until the rows are counted, a total is an estimate and may be smaller than the number of rows taken.
  private var taken: [Int] = []
  /// The pass of each piece, from 0; a piece that waits for the end of a later pass is reported with that pass.
  private var passes: [Int] = []
  /// The number of each piece's `Work.objectTable`; `nil` for a piece without one.
  private var tables: [Int?] = []
  private var tableCount = 0
  /// The place of each piece's kind in `kindNames`; empty if the kinds aren't known.
  private var kinds: [Int] = []
  private var kindNames: [String] = []
  /// The wall time of each pass in seconds, in order; the last pass includes the checks after it.
  private(set) var passSeconds: [Double] = []
  private var lastTime: ContinuousClock.Instant?
  private var recorder = TimelineRecorder()
  /// Whether the current statement may be interrupted without the loss of other work.
  private(set) var isInterruptible = false

  init(progress: MigrationProgress, passNames: [String]) {
    self.progress = progress
    self.passNames = passNames
  }

  var part: Float {
    progress.rowsTotal > 0 ? Float(progress.rowsDone) / Float(progress.rowsTotal) : 0
  }

  mutating func begin(
    totals: [Int], taken: [Int], passes: [Int], tables: [String?] = [], kinds: [String] = [], first: Int
  ) {
    // The speed of a kind of work depends on the expressions of its pass.
    let kinds = zip(kinds, passes).map { passNames.count > 1 ? "\($0), pass \($1 + 1)" : $0 }
    // Kinds are kept as numbers, because the sums are made for each chunk.
    kindNames = kinds.count == totals.count ? Array(Set(kinds)) : []
    let kindPlaces = Dictionary(uniqueKeysWithValues: zip(kindNames, kindNames.indices))
    self.kinds = kindNames.isEmpty ? [] : kinds.compactMap { kindPlaces[$0] }
    self.totals = totals
    let tableNames = Set(tables.compactMap { $0 })
    let tablePlaces = Dictionary(uniqueKeysWithValues: zip(tableNames, 0..<tableNames.count))
    self.tables = tables.map { $0.flatMap { tablePlaces[$0] } }
    tableCount = tableNames.count
    self.taken = taken
    self.passes = passes.reduce(into: []) { $0.append(max($0.last ?? 0, $1)) }
    show(pass: first)
    sum()
  }

  mutating func take(total: Int, index: Int) {
    guard totals.indices.contains(index), totals[index] != total else { return }
    totals[index] = total
    sum()
  }

  mutating func enter(_ work: Work, index: Int, chunksDone: Int, rowsDone: Int) {
    if totals.indices.contains(index) { taken[index] = max(taken[index], rowsDone) }
    show(pass: index)
    sum()
    tell(work.stage, entityMapping: work.name)
    progress.kind = kinds.indices.contains(index) ? kindNames[kinds[index]] : nil
    progress.filter = work.filter
    isInterruptible = work.extent == .whole
    progress.chunk = chunksDone
  }

  /// The step's timeline, up to the last tick.
  var timeline: MigrationReport.Timeline { recorder.timeline }

  /// Adds the time since the last call to the current pass.
  ///
  /// It also records the progress in the timeline. Without a current pass, only this is done.
  mutating func tick(at now: ContinuousClock.Instant = .now) {
    defer { lastTime = now }
    recorder.note(progress, at: now)
    let pass = progress.pass - 1
    guard let lastTime, passNames.indices.contains(pass) else { return }
    while passSeconds.count <= pass { passSeconds.append(0) }
    passSeconds[pass] += lastTime.duration(to: now) / .seconds(1)
  }

  /// - Returns: False for a piece after those of `begin`; the rows of such a piece don't count.
  mutating func advance(index: Int, rowsDone: Int, chunkSize: Int, isLast: Bool) -> Bool {
    guard totals.indices.contains(index) else { return false }
    taken[index] = isLast ? .max : rowsDone
    progress.chunk += 1
    let left = totals[index] - done(index)
    progress.chunks = progress.chunk + (left + chunkSize - 1) / max(chunkSize, 1)
    sum()
    return true
  }

  mutating func take(associations: Int) { progress.associations = associations }

  mutating func leave(index: Int) {
    guard totals.indices.contains(index) else { return }
    taken[index] = .max
    sum()
  }

  mutating func tell(_ stage: MigrationProgress.Stage, entityMapping: String) {
    isInterruptible = true
    progress.stage = stage
    progress.entityMapping = entityMapping
    progress.filter = nil
    progress.kind = nil
    progress.chunk = 0
    progress.chunks = 0
  }

  /// Shows the pass of a piece.
  ///
  /// During the checks of the filled tables, the last pass is still shown.
  private mutating func show(pass index: Int) {
    guard passes.indices.contains(index), passNames.indices.contains(passes[index]) else { return }
    progress.pass = passes[index] + 1
    progress.passName = passNames[passes[index]]
  }

  private func done(_ index: Int) -> Int { min(totals[index], taken[index]) }

  /// This runs for each chunk, so the loop uses no iterator: iterators are slow in unoptimised programs.
  private mutating func sum() {
    var (all, allDone, pass, passDone) = (0, 0, 0, 0)
    let current = progress.pass - 1
    var index = 0
    while index < totals.count {
      let (total, done) = (totals[index], done(index))
      all += total
      allDone += done
      if index < passes.count, passes[index] == current {
        pass += total
        passDone += done
      }
      index += 1
    }
    (progress.rowsTotal, progress.rowsDone) = (all, allDone)
    (progress.passRowsTotal, progress.passRowsDone) = (pass, passDone)
    sumKinds()
    sumObjects()
  }

  private mutating func sumKinds() {
    guard !kinds.isEmpty else { return (progress.rowsLeftByKind, progress.passRowsLeftByKind) = (nil, nil) }
    var (step, pass): ([String: Int], [String: Int]) = ([:], [:])
    var stepRows = [Int](repeating: 0, count: kindNames.count)
    var passRows = stepRows
    let current = progress.pass - 1
    var index = 0
    while index < kinds.count {
      let rows = totals[index] - done(index)
      stepRows[kinds[index]] += rows
      if passes[index] == current { passRows[kinds[index]] += rows }
      index += 1
    }
    for (place, name) in kindNames.enumerated() {
      if stepRows[place] > 0 { step[name] = stepRows[place] }
      if passRows[place] > 0 { pass[name] = passRows[place] }
    }
    (progress.rowsLeftByKind, progress.passRowsLeftByKind) = (step, pass)
  }

  /// If several pieces read a table, its objects count once.
  private mutating func sumObjects() {
    guard tableCount > 0 else { return (progress.objectsDone, progress.objectsTotal) = (nil, nil) }
    var pieces = Array(repeating: (rows: 0, total: 0, done: 0), count: tableCount)
    for (index, table) in zip(totals.indices, tables) {
      guard let table else { continue }
      pieces[table].rows = max(pieces[table].rows, totals[index])
      pieces[table].total += totals[index]
      pieces[table].done += done(index)
    }
    progress.objectsTotal = pieces.reduce(0) { $0 + $1.rows }
    progress.objectsDone = pieces.reduce(0) { sum, piece in
      let part = piece.total > 0 ? Double(piece.done) / Double(piece.total) : 1
      return sum + (piece.done == piece.total ? piece.rows : Int(Double(piece.rows) * part))
    }
  }
}
