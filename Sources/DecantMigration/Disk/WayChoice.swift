internal import DecantEngine
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Foundation

/// Chooses for each inferred step whether it changes a copy of its source or writes a new file.
///
/// A copy keeps its pages and indexes as they are. A changed row costs more in a copy than in a new file: its page is
/// read, kept in the journal, and written. In a new file every index is built again.
struct WayChoice {
  let job: MigrationJob
  let store: SourceStore
  let layout: StoreLayout
  let steps: [PlannedStep]
  /// Whether the family wants new files (`rewrite: true`).
  let prefersNew: Bool
  /// Whether the store is so small that a new one can be built in memory.
  let isSmall: Bool

  /// The bytes of a pair in a join table with its index.
  private static let bytesOfPair = 30.0
  /// The cost of one row's entry in an index, in bytes of rows.
  private static let bytesOfEntry = 100.0
  /// The cost of copying or reading a byte, and of changing a byte in a copy; writing a byte into a new file costs 1.
  private static let (copying, updating) = (0.2, 1.4)
  /// The bytes of a row of persistent history.
  private static let bytesOfChange = 60.0

  /// - Returns: The way of each step; `nil` for a step with mapping models.
  func ways() throws(MigrationFailure) -> [StepWay?] {
    let obstacle = try steps.contains { $0.inferred != nil } ? self.obstacle() : nil
    let isPossible = obstacle == nil && steps.contains { $0.inferred != nil }
    var weights = isPossible ? try self.weights() : [:]
    var ways: [StepWay?] = []
    for (index, step) in steps.enumerated() {
      guard step.inferred != nil else {
        // The bytes after a step with mapping models aren't known. So the inferred steps after it write new files.
        let rest = steps[index...]
        return ways + rest.map { $0.inferred == nil ? nil : .anew(reason: "a mapping model comes before") }
      }
      if let reason = obstacle ?? Self.obstacle(of: step) {
        ways.append(.anew(reason: reason))
      } else {
        let alteration = step.inferredWork.alteration { table in
          // A later step reads Decant's own file, in which all tables are plain.
          index > 0 || store.isPlain(table, in: layout)
        }
        ways.append(try way(step, alteration, weights, isFirst: index == 0))
      }
      weights = Dictionary(
        step.pairing.pairs.map { ($0.destination, weights[$0.source] ?? 0) }, uniquingKeysWith: +)
    }
    return ways
  }

  /// Why no step can change a copy, as the end of a sentence; `nil` if nothing forbids it for all steps.
  private func obstacle() throws(MigrationFailure) -> String? {
    if job.inferredWay == .anew || job.rewrite { return "a new file is asked for (--rewrite)" }
    if prefersNew { return "family.json5 asks for it (rewrite: true)" }
    if isSmall, job.inferredWay == nil { return "the store has at most 4 MiB" }
    do throws(StoreError) {
      return try store.alterationObstacle()
    } catch {
      throw MigrationFailure(error)
    }
  }

  private static func obstacle(of step: PlannedStep) -> String? {
    if step.inferredWork.quarantine != nil { return "invalid objects go to quarantine" }
    guard let statements = try? SchemaStatements(step.destinationLayout), statements.constrained.isEmpty else {
      return "tables have uniqueness constraints"
    }
    return nil
  }

  private func way(
    _ step: PlannedStep, _ alteration: Alteration, _ weights: [String: Double], isFirst: Bool
  ) throws(MigrationFailure) -> StepWay {
    let source = step.sourceLayout
    var bytes: [String: Double] = [:]
    for (entity, weight) in weights {
      if let table = source.table(of: entity) { bytes[table.name, default: 0] += weight }
    }
    if isFirst {
      for join in source.joinTables { bytes[join.name] = try rows(of: join.name) * Self.bytesOfPair }
      for table in store.historyTables { bytes[table] = try rows(of: table) * Self.bytesOfChange }
    }
    let extents = Dictionary(alteration.extents(step.inferredWork.steadyWork(alteration))) { first, _ in first }
    let written = bytes.filter { extents[$0.key] == nil || extents[$0.key] == .all }
    let share = written.values.reduce(0, +) / max(1, bytes.values.reduce(0, +))
    let words = share < 0.01 ? "less than 1 %" : "about \(Int((share * 100).rounded())) %"
    let cost = Self.cost(bytes, indexes: isFirst ? try indexBytes(step, alteration) : [:], extents)
    let isInPlace = job.inferredWay == .inPlace || cost.inPlace <= cost.anew
    return isInPlace
      ? .inPlace(
        alteration,
        reason: "a copy of the store, of which \(words) changes" + indexesDecide(cost, bytes, extents))
      : .anew(reason: "\(words) of the store changes, so a new file is quicker")
  }

  private func indexesDecide(
    _ cost: (inPlace: Double, anew: Double), _ bytes: [String: Double], _ extents: [String: AlteredTable.Extent]
  ) -> String {
    let rows = Self.cost(bytes, indexes: [:], extents)
    return cost.inPlace <= cost.anew && rows.inPlace > rows.anew
      ? "; in a new file all indexes would have to be built" : ""
  }

  /// The cost of building the destination's indexes, by table of the source.
  private func indexBytes(
    _ step: PlannedStep, _ alteration: Alteration
  ) throws(MigrationFailure) -> [String: Double] {
    var origins: [String: String] = [:]
    for pair in step.pairing.pairs {
      guard let table = step.destinationLayout.table(of: pair.destination) else { continue }
      origins[table.name] = step.sourceLayout.table(of: pair.source)?.name
    }
    for table in alteration.reshaping.kept { origins[table.destination] = table.source }
    var indexes: [String: Double] = [:]
    for statement in (try? SchemaStatements(step.destinationLayout))?.indexes ?? [] {
      guard let table = DestinationStore.table(ofIndex: statement).flatMap({ origins[$0] }) else { continue }
      indexes[table, default: 0] += try rows(of: table) * Self.bytesOfEntry
    }
    return indexes
  }

  /// The cost of both ways; the unit is the cost of writing a byte of a row into a new file.
  private static func cost(
    _ bytes: [String: Double], indexes: [String: Double], _ extents: [String: AlteredTable.Extent]
  ) -> (inPlace: Double, anew: Double) {
    var (inPlace, anew) = (0.0, 0.0)
    for (table, bytes) in bytes {
      let whole = bytes + (indexes[table] ?? 0)
      anew += whole
      inPlace += copying * whole
      switch extents[table] {
      case nil: inPlace += whole
      case .some(.all): inPlace += updating * bytes
      case .some(.few): inPlace += copying * bytes
      case .some(.none): break
      }
    }
    return (inPlace, anew)
  }

  private func rows(of table: String) throws(MigrationFailure) -> Double {
    do {
      return Double(try store.estimatedRows(in: table, isJoinTable: true))
    } catch {
      throw MigrationFailure(store.judged(error))
    }
  }

  private func weights() throws(MigrationFailure) -> [String: Double] {
    let size = (try? FileManager.default.attributesOfItem(atPath: store.readPath))?[.size] as? NSNumber
    return try EntityBytes(store: store, layout: layout, fileBytes: size?.doubleValue ?? 0).byEntity()
  }
}
