internal import DecantMapping
internal import DecantStore
internal import Foundation

/// How much free space a migration needs beside its output, estimated before a row is written.
///
/// An inferred step writes a store about as large as the one that it reads. Mapping models may make several objects of
/// one, or none: there the bytes of a source entity count once for every entity mapping that takes its objects.
struct DiskNeed {
  let store: SourceStore
  let layout: StoreLayout
  let steps: [PreparedJob.Step]
  /// The share of an entity's rows that a filter of the first step takes, by the number of the entity mapping among all
  /// of the step's, from 1; empty where nobody has counted them.
  var taken: [Int: Double] = [:]
  /// What rows tell of entity mappings of the first step, as far as somebody has looked.
  private var samples: [Int: RowSample] = [:]

  /// What working files take beyond the store that comes of them: sorted indexes, journals, associations.
  private static let surplus = 1.2
  /// Of an object by a value, beside the object and the value, which stands there once more.
  private static let bytesOfUnique = 40.0
  /// Of a row that has such an object: its association.
  private static let bytesOfShared = 8.0
  /// Objects for each row that are added to what a few rows tell.
  private static let leastDistinct = 0.02
  /// Of a calculated value, beside what it is calculated of.
  private static let bytesOfValue = 16.0

  init(store: SourceStore, layout: StoreLayout, steps: [PreparedJob.Step]) {
    self.store = store
    self.layout = layout
    self.steps = steps
  }

  /// Of a prepared job, whose filters are counted.
  ///
  /// - Throws: `MigrationFailure`, `StepFailure`, `SQLiteError`.
  init(counting prepared: PreparedJob) throws {
    self.init(store: prepared.store, layout: prepared.sourceLayout, steps: prepared.steps)
    guard let step = steps.first, case .passes(let models) = step.work else { return }
    let plan = PassPlan(source: layout, destination: step.destinationLayout, mappingModels: models)
    let source = try PassSource(
      store, externalFolder: ExternalData(store: prepared.job.source).readableFiles,
      now: prepared.job.claimedAt.timeIntervalSinceReferenceDate)
    let counts = StoreCounts(store: store, layout: layout)
    try look(at: plan) { source }
    for mapping in plan.mappings {
      let rows = try counts.rows(of: mapping.source)
      guard rows > 0, let filtered = try source.filtered(of: mapping, in: plan) else { continue }
      taken[mapping.number] = Double(max(0, rows - filtered)) / Double(rows)
    }
  }

  /// Looks at a few rows of what is calculated, and of what is unique by a value.
  mutating func look(
    at plan: PassPlan, in source: () throws(SQLiteError) -> PassSource
  ) throws(SQLiteError) {
    // A policy's class may make of each row what it likes.
    let mappings = plan.mappings.filter { $0.mapping.policy == nil && $0.mapping.hasCalculatedValues }
    guard !mappings.isEmpty else { return }
    let (source, bytes) = (try source(), fileBytes)
    for mapping in mappings {
      guard let spread = try store.keySpread(of: mapping.sourceTable.name) else { continue }
      samples[mapping.number] = source.sample(of: mapping, in: plan, spread, bytes: bytes)
    }
  }

  private var fileBytes: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.readPath)
    return (attributes?[.size] as? NSNumber).map { Int(clamping: $0.int64Value) } ?? 0
  }

  /// - Parameter external: Bytes of the external files, which stand beside the output too.
  /// - Returns: Bytes; `Int.max` for more than there can be, which a sparse file may claim.
  func bytes(external: Int) throws(MigrationFailure) -> Int {
    let size = Double(fileBytes)
    // While a step works the file of the step before it is there.
    var (former, peak) = (0.0, 0.0)
    for size in try sizes(from: size) {
      peak = max(peak, former + size)
      former = size
    }
    return Int(exactly: (peak * Self.surplus + Double(external) + 1_048_576).rounded()) ?? Int.max
  }

  /// The bytes of what each step writes.
  private func sizes(from size: Double) throws(MigrationFailure) -> [Double] {
    guard steps.contains(where: { $0.mapping == nil }) else { return steps.map { _ in size } }
    do throws(StoreError) {
      return try sizes(from: size, try EntityWeight.all(in: store, layout))
    } catch {
      throw MigrationFailure(error)
    }
  }

  private func sizes(from size: Double, _ weights: [String: EntityWeight]) throws(StoreError) -> [Double] {
    var entities = weights
    var whole = entities.values.reduce(0) { $0 + $1.bytes }
    guard whole > 0, size > 0 else { return steps.map { _ in size } }
    // Keys with wide gaps look like more rows than there is room for.
    let excess = whole / (4 * size)
    if excess > 1 {
      for entity in entities.keys { entities[entity]? *= 1 / excess }
      whole /= excess
    }
    let rows = entities.mapValues(\.rows)
    do throws(SQLiteError) {
      let links = try LinkWeight(layout: layout).bytes(rows: rows) { (join) throws(SQLiteError) in
        try pairs(of: join)
      }
      // A store in which much was deleted is larger than what comes of it.
      let scale = min(1.5, max(1, size / (whole + links)))
      // Pages, indexes and join tables are shared out among the entities by what their rows hold.
      for (entity, weight) in entities { entities[entity]?.bytes = weight.bytes * size / whole }
      var sizes: [Double] = []
      for (index, step) in steps.enumerated() {
        entities = try grown(entities, by: step, isFirst: index == 0, scale: scale)
        sizes.append(entities.values.reduce(0) { $0 + $1.bytes })
      }
      return sizes
    } catch {
      throw store.judged(error)
    }
  }

  private func pairs(of join: StoreLayout.JoinTable) throws(SQLiteError) -> Double {
    Double(try store.estimatedRows(in: join.name, isJoinTable: true))
  }

  /// How many objects a relationship of the source leads to from the rows that an entity mapping takes.
  private func pairs(
    of share: LinkWeight.Share, _ value: RelationshipMapping.Value, _ rows: [String: Double]
  ) throws(SQLiteError) -> Double {
    guard let source = share.mapping.sourceEntityName, let path = value.sourcePath, path.count == 1,
      let relationship = layout.model.relationship(path[0], of: source), relationship.isToMany
    else { return share.rows }
    func all(_ entity: String) -> Double {
      layout.model.family(of: entity).reduce(0) { $0 + (rows[$1.name] ?? 0) }
    }
    let taken = min(1, share.rows / max(1, all(source)))
    guard let (join, _) = layout.joinTable(path[0], of: source) else {
      return all(relationship.destinationEntityName) * taken
    }
    return try pairs(of: join) * taken
  }

  /// What an entity mapping makes of rows: an object of each, with the values that its expressions look at.
  ///
  /// - Parameters:
  ///   - all: What it takes.
  ///   - scale: How much larger the store is than what its rows hold; `nil` where its columns aren't known any more.
  ///   - number: Among all entity mappings of the first step.
  private func made(by mapping: EntityMapping, of all: EntityWeight, scale: Double?, _ number: Int)
    -> EntityWeight
  {
    var weight = all
    // Where nobody has looked there may be as many objects as rows.
    let sample = scale == nil ? nil : samples[number]
    let distinct = sample?.distinct ?? 1
    // Few values are some objects all the same.
    weight *= min(1, distinct + Self.leastDistinct)
    if let scale, mapping.policy == nil {
      weight.bytes = weight.rows * EntityWeight.bytesOfRow
      for row in mapping.attributeMappings {
        weight.bytes +=
          sample?.lengths[row.destinationName].map { $0 * weight.rows }
          ?? bytes(of: row.value, mapping, weight)
      }
      weight.bytes *= scale
    }
    if mapping.uniqueBy != nil {
      weight.bytes +=
        weight.rows * (Self.bytesOfUnique + (sample?.uniqueLength ?? 0)) + all.rows * Self.bytesOfShared
    }
    return weight
  }

  private func bytes(of value: AttributeMapping.Value, _ mapping: EntityMapping, _ weight: EntityWeight)
    -> Double
  {
    let source = mapping.sourceEntityName ?? ""
    func column(_ name: String) -> Double {
      layout.attributeColumn(name, of: source).flatMap { weight.columns[$0] } ?? 0
    }
    switch value {
    case .source(let name), .sourceOrDefault(let name): return column(name)
    case .expression(let expression):
      if let name = expression.sourceKey { return column(name) }
      let text = "\(expression)"
      let read = layout.model.attributes(of: source).map(\.name).filter { text.contains($0) }
      return read.reduce(weight.rows * Self.bytesOfValue) { $0 + column($1) }
    case .defaultValue, .derived, .unset: return weight.rows
    }
  }

  /// What becomes of the rows of each entity.
  private func grown(
    _ entities: [String: EntityWeight], by step: PreparedJob.Step, isFirst: Bool, scale: Double
  ) throws(SQLiteError) -> [String: EntityWeight] {
    let rows = isFirst ? entities.mapValues(\.rows) : nil
    // Through an inferred step bytes stay what they are.
    let isFirst = isFirst && step.mapping == nil
    let taken = isFirst ? taken : [:]
    let mappings = step.mappingModels.flatMap(\.entityMappings)
    // Ranges of one entity are its rows once, unless somebody has counted what each takes.
    var sharing: [String: Double] = [:]
    for (place, mapping) in mappings.enumerated() where mapping.filter != nil && taken[place + 1] == nil {
      if let source = mapping.sourceEntityName { sharing[source, default: 0] += 1 }
    }
    var grown: [String: EntityWeight] = [:]
    var shares: [LinkWeight.Share] = []
    for (place, mapping) in mappings.enumerated() {
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName,
        var weight = entities[source]
      else { continue }
      if let share = taken[place + 1] {
        weight *= share
      } else if mapping.filter != nil {
        weight *= 1 / (sharing[source] ?? 1)
      }
      if step.mapping == nil {
        let taken = weight.rows
        weight = made(by: mapping, of: weight, scale: isFirst ? scale : nil, place + 1)
        shares.append(.init(mapping: mapping, rows: taken, objects: weight.rows))
      }
      weight.columns = [:]
      grown[destination, default: EntityWeight()] += weight
    }
    let links = try LinkWeight(layout: step.destinationLayout).bytes(made: shares) {
      (share, value) throws(SQLiteError) in
      guard let rows else { return share.rows }
      return try pairs(of: share, value, rows)
    }
    for (entity, bytes) in links { grown[entity, default: EntityWeight()].bytes += bytes }
    return grown
  }
}

extension EntityMapping {
  /// Whether something of its objects is more than what a row holds.
  fileprivate var hasCalculatedValues: Bool {
    uniqueBy != nil
      || attributeMappings.contains { row in
        if case .expression(let expression) = row.value { expression.sourceKey == nil } else { false }
      }
  }
}
