internal import DecantMapping
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Estimates the free space that a migration needs, before a row is written.
///
/// The rule: a step's file holds what the file before it holds, times the number of objects that the mapping models
/// make of each object. While a step runs, the file of the step before it exists too. Values that expressions
/// calculate, indexes and defaults aren't estimated. If the space runs out, the job waits and keeps its work.
struct DiskNeed {
  let store: SourceStore
  let layout: StoreLayout
  let steps: [PlannedStep]
  /// The share of an entity's rows that an entity mapping of the first step takes.
  ///
  /// The key is the number of the entity mapping within the step, from 1. An entity mapping whose rows weren't counted
  /// has no entry.
  var taken: [Int: Double] = [:]
  /// Whether the first step's working file is a copy of the source.
  var beginsAsCopy = false
  /// The size of the stray rows' store in bytes; that store was made before the first step.
  var putAside = 0

  /// The space of a working file in relation to its objects.
  ///
  /// Journals, associations and indexes being sorted take space, too.
  private static let surplus = 1.3

  init(store: SourceStore, layout: StoreLayout, steps: [PlannedStep]) {
    self.store = store
    self.layout = layout
    self.steps = steps
  }

  /// For a prepared job; counts the rows that the entity mappings of the first step take.
  ///
  /// - Parameter observer: Asked now and then. False ends the work.
  init(counting prepared: PreparedJob, observer: @escaping @Sendable () -> Bool) throws {
    self.init(store: prepared.store, layout: prepared.sourceLayout, steps: prepared.steps)
    putAside = prepared.strays?.bytes ?? 0
    beginsAsCopy = prepared.ways.first??.alteration != nil
    guard let plan = steps.first?.passPlan else { return }
    let source = try PassSource(
      store, externalFolder: ExternalData(store: prepared.job.source).readableFiles,
      now: prepared.job.claimedAt.timeIntervalSinceReferenceDate, observer: observer)
    let counts = StoreCounts(store: store, layout: layout)
    for mapping in plan.mappings {
      let rows = try counts.rows(of: mapping.source)
      guard rows > 0, let left = try source.leftOver(of: mapping, in: plan) else { continue }
      taken[mapping.number] = Double(max(0, rows - left.filtered - left.withoutValue)) / Double(rows)
    }
  }

  /// - Parameter external: The bytes of the external files, which are copied to the output's folder or into its rows.
  /// - Returns: Bytes. `Int.max` for an impossibly large store, which a sparse file may claim to be.
  func bytes(external: Int) throws(MigrationFailure) -> Int {
    // Free pages hold nothing, but a copy of the file has them, too. The file states their number.
    let free = Double((try? store.database.integer("PRAGMA freelist_count")) ?? 0) * Double(store.pageSize)
    var size = beginsAsCopy ? fileBytes : max(fileBytes - free, 0)
    var (former, peak) = (0.0, 0.0)
    let isMapped = steps.contains { $0.inferred == nil }
    var weights =
      isMapped
      ? try EntityBytes(store: store, layout: layout, fileBytes: fileBytes).byEntity() : [:]
    for (index, step) in steps.enumerated() {
      if step.inferred == nil {
        let before = weights.values.reduce(0, +)
        weights = made(by: step, of: weights, isFirst: index == 0)
        if before > 0 { size *= weights.values.reduce(0, +) / before }
      }
      peak = max(peak, former + size * Self.surplus)
      former = size
    }
    // The source may be read from a copy in the work folder: one that contains its `-wal` or journal, one that was made
    // from an XML store, or one without stray rows.
    let copy = (store.readPath == store.path ? 0 : fileBytes) + Double(putAside)
    return Int(exactly: (peak + copy + Double(external) + 1_048_576).rounded()) ?? Int.max
  }

  private var fileBytes: Double {
    var status = stat()
    return lstat(store.readPath, &status) == 0 ? Double(status.st_size) : 0
  }

  /// The bytes of each destination entity's objects, from those of the source entities.
  private func made(
    by step: PlannedStep, of former: [String: Double], isFirst: Bool
  ) -> [String: Double] {
    let mappings = step.mappingModels.flatMap(\.entityMappings)
    let counted = isFirst ? taken : [:]
    // Filters whose rows weren't counted share the entity's rows equally.
    var sharing: [String: Double] = [:]
    for (place, mapping) in mappings.enumerated() where mapping.filter != nil && counted[place + 1] == nil {
      if let source = mapping.sourceEntityName { sharing[source, default: 0] += 1 }
    }
    var made: [String: Double] = [:]
    for (place, mapping) in mappings.enumerated() {
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName,
        let bytes = former[source]
      else { continue }
      let share = counted[place + 1] ?? (mapping.filter == nil ? 1 : 1 / (sharing[source] ?? 1))
      made[destination, default: 0] += bytes * share
    }
    return made
  }
}
