internal import DecantPasses
internal import DecantReport

/// The rows of a step's pieces, and the progress that follows from them.
package struct StepRows {
  private(set) var progress: MigrationProgress
  private let passNames: [String]
  private var totals: [Int] = []
  /// The rows that each piece has taken, in this run and earlier ones; `Int.max` for a finished piece.
  ///
  /// A total may be an estimate below that, until the rows are counted.
  private var taken: [Int] = []
  /// The pass of each piece, from 0; a piece that waits for the end of a later pass is reported with that pass.
  private var passes: [Int] = []
  /// The table of each piece that makes objects of a table's objects.
  private var tables: [String?] = []
  /// The kind of each piece; empty if it isn't known.
  private var kinds: [String] = []
  /// The wall time of each pass in seconds, in order; checks after the last pass count for it.
  private(set) var passSeconds: [Double] = []
  private var lastTime: ContinuousClock.Instant?
  private var recorder = TimelineRecorder()
  /// Whether the current statement may be interrupted without the loss of other work.
  private(set) var isInterruptible = false

  init(progress: MigrationProgress, passNames: [String]) {
    self.progress = progress
    self.passNames = passNames
  }

  /// The part of the rows that is done, from 0 to 1.
  var part: Float {
    progress.rowsTotal > 0 ? Float(progress.rowsDone) / Float(progress.rowsTotal) : 0
  }

  mutating func begin(
    totals: [Int], taken: [Int], passes: [Int], tables: [String?] = [], kinds: [String] = [], first: Int
  ) {
    self.kinds = kinds.count == totals.count ? kinds : []
    self.totals = totals
    self.tables = tables
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
    progress.kind = kinds.indices.contains(index) ? kinds[index] : nil
    progress.filter = work.filter
    isInterruptible = work.extent == .whole
    progress.chunk = chunksDone
  }

  /// What was done when, up to the last tick.
  var timeline: MigrationReport.Timeline { recorder.timeline }

  /// Adds the time since the last call to the current pass, and notes the current state.
  mutating func tick(at now: ContinuousClock.Instant = .now) {
    defer { lastTime = now }
    recorder.note(progress, at: now)
    let pass = progress.pass - 1
    guard let lastTime, passNames.indices.contains(pass) else { return }
    while passSeconds.count <= pass { passSeconds.append(0) }
    passSeconds[pass] += lastTime.duration(to: now) / .seconds(1)
  }

  /// - Returns: Whether the piece's rows are counted.
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

  /// The checks of the filled tables belong to no pass.
  private mutating func show(pass index: Int) {
    guard passes.indices.contains(index), passNames.indices.contains(passes[index]) else { return }
    progress.pass = passes[index] + 1
    progress.passName = passNames[passes[index]]
  }

  private func done(_ index: Int) -> Int { min(totals[index], taken[index]) }

  private mutating func sum() {
    progress.rowsTotal = totals.reduce(0, +)
    progress.rowsDone = totals.indices.reduce(0) { $0 + done($1) }
    (progress.passRowsTotal, progress.passRowsDone) = (0, 0)
    for (index, pass) in passes.enumerated() where pass == progress.pass - 1 {
      progress.passRowsTotal += totals[index]
      progress.passRowsDone += done(index)
    }
    sumKinds()
    sumObjects()
  }

  private mutating func sumKinds() {
    guard !kinds.isEmpty else { return (progress.rowsLeftByKind, progress.passRowsLeftByKind) = (nil, nil) }
    var (step, pass): ([String: Int], [String: Int]) = ([:], [:])
    for (index, kind) in kinds.enumerated() {
      let left = totals[index] - done(index)
      guard left > 0 else { continue }
      step[kind, default: 0] += left
      if passes[index] == progress.pass - 1 { pass[kind, default: 0] += left }
    }
    (progress.rowsLeftByKind, progress.passRowsLeftByKind) = (step, pass)
  }

  /// An object counts once, also if several entity mappings or passes read its table: in parts.
  private mutating func sumObjects() {
    var pieces: [String: (rows: Int, total: Int, done: Int)] = [:]
    for (index, table) in zip(totals.indices, tables) {
      guard let table else { continue }
      let known = pieces[table] ?? (0, 0, 0)
      pieces[table] = (max(known.rows, totals[index]), known.total + totals[index], known.done + done(index))
    }
    guard !pieces.isEmpty else { return (progress.objectsDone, progress.objectsTotal) = (nil, nil) }
    progress.objectsTotal = pieces.values.reduce(0) { $0 + $1.rows }
    progress.objectsDone = pieces.values.reduce(0) { sum, piece in
      let part = piece.total > 0 ? Double(piece.done) / Double(piece.total) : 1
      return sum + (piece.done == piece.total ? piece.rows : Int(Double(piece.rows) * part))
    }
  }
}
