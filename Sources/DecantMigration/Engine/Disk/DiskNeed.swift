internal import DecantMapping
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Estimates the free space that a migration needs in addition to its output, before a row is written.
///
/// A sample of rows gives the size of rows, and of the values that a mapping model's expressions make. The layouts give
/// indexes and join tables. If the source is larger than its sampled rows seem to be, the difference is added, because
/// it may be in rows that weren't sampled.
struct DiskNeed {
  let store: SourceStore
  let layout: StoreLayout
  let steps: [PreparedJob.Step]
  /// The share of an entity's rows that a filter of the first step takes.
  ///
  /// The key is the number of the entity mapping among all of the step's, from 1. Empty if the rows weren't counted.
  var taken: [Int: Double] = [:]
  /// Bytes that were put aside before the first step.
  var putAside = 0
  /// The samples for entity mappings of the first step, as far as rows were sampled.
  private var samples: [Int: RowSample] = [:]

  /// The size of working files in relation to the finished store: journals, associations, error of the estimate.
  private static let surplus = 1.2
  /// The source may be larger than its sampled rows by this factor without a surcharge for unsampled rows.
  private static let explained = 1.1

  init(store: SourceStore, layout: StoreLayout, steps: [PreparedJob.Step]) {
    self.store = store
    self.layout = layout
    self.steps = steps
  }

  /// For a prepared job.
  ///
  /// Counts what the filters take.
  ///
  /// - Parameter observer: Asked now and then. False ends the work.
  /// - Throws: `MigrationFailure`, `StepFailure`, `SQLiteError`.
  init(counting prepared: PreparedJob, observer: @escaping @Sendable () -> Bool) throws {
    self.init(store: prepared.store, layout: prepared.sourceLayout, steps: prepared.steps)
    putAside = prepared.strays?.bytes ?? 0
    guard let step = steps.first, case .passes(let models) = step.work else { return }
    let plan = PassPlan(source: layout, destination: step.destinationLayout, mappingModels: models)
    let source = try PassSource(
      store, externalFolder: ExternalData(store: prepared.job.source).readableFiles,
      now: prepared.job.claimedAt.timeIntervalSinceReferenceDate, observer: observer)
    let counts = StoreCounts(store: store, layout: layout)
    for mapping in plan.mappings {
      let rows = try counts.rows(of: mapping.source)
      guard rows > 0, let left = try source.leftOver(of: mapping, in: plan) else { continue }
      taken[mapping.number] = Double(max(0, rows - left.filtered - left.withoutValue)) / Double(rows)
    }
    try look(at: plan) { source }
  }

  /// Samples rows for values that are calculated, filtered or in `uniqueBy`.
  ///
  /// - Throws: `SQLiteError` if the work is to stop or the source can't be opened.
  mutating func look(
    at plan: PassPlan, in source: () throws(SQLiteError) -> PassSource
  ) throws(SQLiteError) {
    // It isn't known what a policy's class makes from a row.
    let mappings = plan.mappings.filter { $0.mapping.policy == nil && $0.mapping.isWorthALook }
    guard !mappings.isEmpty else { return }
    var sampling = RowSampling(try source(), plan)
    for mapping in mappings {
      guard let spread = try store.keySpread(of: mapping.sourceTable.name) else { continue }
      samples[mapping.number] = try sampling.sample(
        of: mapping, spread, bytesOfRow: fileBytes / Double(max(1, spread.rows)),
        taken: taken[mapping.number] ?? 1)
    }
  }

  private var fileBytes: Double {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.readPath)
    return (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
  }

  /// - Parameter external: The bytes of the external files, which are also copied beside the output.
  /// - Returns: Bytes. `Int.max` for an impossibly large store, which a sparse file may claim to be.
  func bytes(external: Int) throws(MigrationFailure) -> Int {
    // While a step runs, the file of the step before it exists too.
    var (former, peak) = (0.0, 0.0)
    for size in try sizes(external: Double(external)) {
      peak = max(peak, former + size.peak)
      former = size.result
    }
    // The source may be read from a copy beside the working files, with a log folded in or without stray rows.
    let copy = (store.readPath == store.path ? 0 : fileBytes) + Double(putAside)
    return Int(exactly: (peak + copy + Double(external) + 1_048_576).rounded()) ?? Int.max
  }

  /// The size of each step's result, and the step's largest size while it runs.
  private func sizes(external: Double) throws(MigrationFailure) -> [(result: Double, peak: Double)] {
    let size = fileBytes
    guard steps.contains(where: { $0.mapping == nil }) else {
      return steps.map { _ in (size * Self.surplus, size * Self.surplus) }
    }
    var former = StoreWeight()
    do throws(StoreError) {
      former.entities = try EntityWeight.all(in: store, layout, limit: size)
      do throws(SQLiteError) {
        for join in layout.joinTables {
          // Keys with wide gaps seem to be more pairs than the file has room for.
          let pairs = Double(try store.estimatedRows(in: join.name, isJoinTable: true))
          former.pairs[join.name] = min(pairs, size / StoreWeight.bytesOfPair * 2)
        }
      } catch {
        throw store.judged(error)
      }
    } catch {
      throw MigrationFailure(error)
    }
    // Free pages hold nothing. The file states their number.
    let free = Double((try? store.database.integer("PRAGMA freelist_count")) ?? 0) * Double(store.pageSize)
    var source = layout
    var unseen = max(0, size - min(free, size) - former.bytes(in: layout).whole * Self.explained)
    return steps.enumerated().map { index, step in
      let destination = step.destinationLayout
      let made = objects(of: step, former, from: source, isFirst: index == 0)
      unseen *= Self.most(made)
      var weight = StoreWeight()
      for objects in made {
        weight.entities[objects.mapping.destinationEntityName ?? "", default: .init()] += objects.weight()
      }
      let setting = MadeLinks(
        source: source, former: former, destination: destination,
        shares: zip(made, direct(step, from: source, made)).map { made, direct in
          .init(
            mapping: made.mapping, rows: made.taken.rows, objects: made.taken.rows * made.share, direct: direct)
        }
      ).add(to: &weight)
      (former, source) = (weight, destination)
      let (whole, largestIndex) = weight.bytes(in: destination)
      let inlined = Double(made.count { $0.takesFilesIn }) * external
      let result = whole + unseen + inlined
      // An index is first sorted in a separate file.
      let passing = largestIndex + (step.mapping == nil ? setting : 0)
      let peak = whole * Self.surplus + unseen + inlined + passing + made.reduce(0) { $0 + $1.working }
      return (result, peak)
    }
  }

  /// The relationships that each entity mapping of a step writes together with its objects.
  private func direct(_ step: PreparedJob.Step, from source: StoreLayout, _ made: [MadeObjects]) -> [Set<
    String
  >] {
    guard step.mapping == nil else { return made.map { _ in [] } }
    let plan = PassPlan(source: source, destination: step.destinationLayout, mappingModels: step.mappingModels)
    return made.map { made in
      plan.mappings.first { $0.number == made.number }.map { DirectLinks(plan, $0).names } ?? []
    }
  }

  /// The largest number of times that an unsampled row may be written.
  private static func most(_ made: [MadeObjects]) -> Double {
    let taking = made.filter(\.carriesLongValues)
    let bySource = Dictionary(grouping: taking) { $0.mapping.sourceEntityName ?? "" }
    return bySource.values.map { mappings in
      let whole = mappings.filter { $0.mapping.filter == nil }.reduce(0.0) { $0 + $1.share }
      // An unsampled row is assumed to be taken by one of the entity mappings with a filter.
      let filtered = mappings.filter { $0.mapping.filter != nil }
      return whole + (filtered.isEmpty ? 0 : 1)
    }.max() ?? 0
  }

  /// The objects that each entity mapping of a step makes.
  private func objects(
    of step: PreparedJob.Step, _ former: StoreWeight, from source: StoreLayout, isFirst: Bool
  ) -> [MadeObjects] {
    let isLookedAt = isFirst && step.mapping == nil
    let taken = isLookedAt ? taken : [:]
    let mappings = step.mappingModels.flatMap(\.entityMappings)
    // The rows of one entity are counted once for all ranges, unless the rows of each range were counted.
    var sharing: [String: Double] = [:]
    for (place, mapping) in mappings.enumerated() where mapping.filter != nil && taken[place + 1] == nil {
      if let source = mapping.sourceEntityName { sharing[source, default: 0] += 1 }
    }
    return mappings.enumerated().compactMap { place, mapping in
      guard let entity = mapping.sourceEntityName, mapping.destinationEntityName != nil,
        var weight = former.entities[entity]
      else { return nil }
      if let share = taken[place + 1] {
        weight *= share
      } else if mapping.filter != nil {
        weight *= 1 / (sharing[entity] ?? 1)
      }
      return MadeObjects(
        number: place + 1, mapping: mapping, source: source, destination: step.destinationLayout, taken: weight,
        sample: isLookedAt ? samples[place + 1] : nil)
    }
  }
}

extension EntityMapping {
  /// Whether a sample tells more about its objects than the columns of all rows.
  fileprivate var isWorthALook: Bool {
    uniqueBy != nil || filter != nil || attributeMappings.contains { $0.value.isCalculated }
  }
}
