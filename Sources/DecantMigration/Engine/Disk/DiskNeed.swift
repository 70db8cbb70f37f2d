internal import DecantMapping
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// How much free space a migration needs beside its output, estimated before a row is written.
///
/// What rows hold is told by a few of them; what a mapping model makes of them, by what its expressions make of a few;
/// indexes and join tables follow from the layouts. What the source takes beyond what its rows seem to hold is reckoned
/// with as well: it may be in rows that nobody has looked at.
struct DiskNeed {
  let store: SourceStore
  let layout: StoreLayout
  let steps: [PreparedJob.Step]
  /// The share of an entity's rows that a filter of the first step takes, by the number of the entity mapping among all
  /// of the step's, from 1; empty where nobody has counted them.
  var taken: [Int: Double] = [:]
  /// Bytes that were put aside before the first step.
  var putAside = 0
  /// What rows tell of entity mappings of the first step, as far as somebody has looked.
  private var samples: [Int: RowSample] = [:]

  /// What working files take beyond the store that comes of them: journals, associations, what an estimate is off.
  private static let surplus = 1.2
  /// How much of what rows seem to hold the source may take without there being rows that nobody has seen.
  private static let explained = 1.1

  init(store: SourceStore, layout: StoreLayout, steps: [PreparedJob.Step]) {
    self.store = store
    self.layout = layout
    self.steps = steps
  }

  /// Of a prepared job, whose filters are counted.
  ///
  /// - Parameter observer: Asked now and then; false ends it.
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

  /// Looks at a few rows of what is calculated, filtered or unique by a value.
  ///
  /// - Throws: `SQLiteError`, where somebody asked to stop or the source can't be opened.
  mutating func look(
    at plan: PassPlan, in source: () throws(SQLiteError) -> PassSource
  ) throws(SQLiteError) {
    // A policy's class may make of each row what it likes.
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

  /// - Parameter external: Bytes of the external files, which stand beside the output too.
  /// - Returns: Bytes; `Int.max` for more than there can be, which a sparse file may claim.
  func bytes(external: Int) throws(MigrationFailure) -> Int {
    // While a step works the file of the step before it is there.
    var (former, peak) = (0.0, 0.0)
    for size in try sizes(external: Double(external)) {
      peak = max(peak, former + size.peak)
      former = size.result
    }
    // What is read may be a copy beside the working files, with a log folded in or stray rows taken out.
    let copy = (store.readPath == store.path ? 0 : fileBytes) + Double(putAside)
    return Int(exactly: (peak + copy + Double(external) + 1_048_576).rounded()) ?? Int.max
  }

  /// What each step writes, and the most that it takes meanwhile.
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
          // Keys with wide gaps look like more pairs than there is room for.
          let pairs = Double(try store.estimatedRows(in: join.name, isJoinTable: true))
          former.pairs[join.name] = min(pairs, size / StoreWeight.bytesOfPair * 2)
        }
      } catch {
        throw store.judged(error)
      }
    } catch {
      throw MigrationFailure(error)
    }
    // Free pages hold nothing; how many there are the file says itself.
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
      // An index is sorted in a file of its own first.
      let passing = largestIndex + (step.mapping == nil ? setting : 0)
      let peak = whole * Self.surplus + unseen + inlined + passing + made.reduce(0) { $0 + $1.working }
      return (result, peak)
    }
  }

  /// The relationships that each entity mapping of a step writes with its objects.
  private func direct(_ step: PreparedJob.Step, from source: StoreLayout, _ made: [MadeObjects]) -> [Set<
    String
  >] {
    guard step.mapping == nil else { return made.map { _ in [] } }
    let plan = PassPlan(source: source, destination: step.destinationLayout, mappingModels: step.mappingModels)
    return made.map { made in
      plan.mappings.first { $0.number == made.number }.map { DirectLinks(plan, $0).names } ?? []
    }
  }

  /// How often rows that nobody has seen may come to be written.
  private static func most(_ made: [MadeObjects]) -> Double {
    let taking = made.filter(\.carriesLongValues)
    let bySource = Dictionary(grouping: taking) { $0.mapping.sourceEntityName ?? "" }
    return bySource.values.map { mappings in
      let whole = mappings.filter { $0.mapping.filter == nil }.reduce(0.0) { $0 + $1.share }
      // Of all that filters take they are taken to be in one.
      let filtered = mappings.filter { $0.mapping.filter != nil }
      return whole + (filtered.isEmpty ? 0 : 1)
    }.max() ?? 0
  }

  /// What each entity mapping of a step makes.
  private func objects(
    of step: PreparedJob.Step, _ former: StoreWeight, from source: StoreLayout, isFirst: Bool
  ) -> [MadeObjects] {
    let isLookedAt = isFirst && step.mapping == nil
    let taken = isLookedAt ? taken : [:]
    let mappings = step.mappingModels.flatMap(\.entityMappings)
    // Ranges of one entity are its rows once, unless somebody has counted what each takes.
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
  /// Whether a few rows tell more of its objects than the columns of all do.
  fileprivate var isWorthALook: Bool {
    uniqueBy != nil || filter != nil || attributeMappings.contains { $0.value.isCalculated }
  }
}
