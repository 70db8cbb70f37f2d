internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// What a plan says of the steps, and what can be looked at in the store's rows beforehand.
extension JobPreparation {
  /// Looks whether explicit chunks of the first step hold each row once.
  func checkChunks(
    _ step: PreparedJob.Step?, _ store: SourceStore, _ layout: StoreLayout, _ family: Family
  ) throws(MigrationFailure) {
    guard let step, case .passes(let models) = step.work else { return }
    do {
      try ChunkCheck(
        PassPlan(source: layout, destination: step.destinationLayout, mappingModels: models),
        now: job.claimedAt.timeIntervalSinceReferenceDate
      ).check(store, externalFolder: ExternalData(store: job.source).readableFiles)
    } catch {
      throw MigrationFailure(running: error, family: family.name)
    }
  }

  func planned(
    _ step: PreparedJob.Step, counts: StoreCounts?
  ) throws(MigrationFailure) -> MigrationPlan.Step {
    var mappings: [MigrationPlan.EntityMappingPlan] = []
    let all = step.mappingModels.flatMap { model in model.entityMappings.map { (model, $0) } }
    for (model, mapping) in all {
      var rows: Int?
      if let counts {
        rows = if let source = mapping.sourceEntityName { try counts.rows(of: source) } else { 0 }
      }
      mappings.append(
        .init(
          name: mapping.name, type: Self.word(mapping.type), source: mapping.sourceEntityName,
          destination: mapping.destinationEntityName, rows: rows, pass: model.path == nil ? nil : model.name,
          filter: mapping.filter.flatMap { $0 == .always ? nil : "\($0)" },
          uniqueBy: mapping.uniqueBy.map { "\($0)" }))
    }
    return MigrationPlan.Step(
      source: step.source.name, destination: step.destination.name, passes: step.mappingModels.map(\.name),
      entityMappings: mappings, framework: step.destinationLayout.framework.number)
  }

  private static func word(_ type: EntityMappingType) -> String {
    switch type {
    case .undefined: "undefined"
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }

  /// A destination as large as the source and a fifth more, two of them in a chain, and the external files.
  func diskNeed(store: SourceStore, steps: Int, _ external: ExternalData) throws(MigrationFailure)
    -> Int
  {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.readPath)
    let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    do {
      // Sparse files may claim any size.
      let need = Double(size) * 1.2 * Double(min(steps, 2)) + Double(try external.bytes()) + 1_048_576
      return Int(exactly: need.rounded()) ?? Int.max
    } catch {
      throw MigrationFailure(error)
    }
  }
}
