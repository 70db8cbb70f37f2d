internal import DecantCatalogue
internal import DecantEngine
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore

/// One step of a job, compiled once.
///
/// The plan, the losses, the disk estimate, the digest and the run use the same compiled step.
///
/// A step follows from the family, the path and the store's schema alone. So a family's memory keeps the step for
/// further stores of the same schema. Values that aren't always needed are made at the first request.
final class PlannedStep: Sendable {
  package enum Work: Sendable {
    case inferred(InferredMapping)
    /// Mapping models, one for each pass, in order.
    case passes([MappingModel])
  }

  let source: FamilyVersion
  let destination: FamilyVersion
  let work: Work
  let sourceLayout: StoreLayout
  let destinationLayout: StoreLayout
  let place: Place
  /// Findings about its mapping models.
  let findings: [PlanFinding]
  /// Sentences about its mapping models, for plan and report.
  let warnings: [String]
  /// The entity mappings that copy rows; none where mapping models run.
  let pairing: EntityPairing
  /// The numbered entity mappings; `nil` for an inferred step.
  let passPlan: PassPlan?

  private let copying = Once<InferredWork>()
  private let mapping = Once<MappedWork>()
  private let reading = Once<UnreadProperties>()
  private let losing = Once<MappedLosses>()
  private let digesting = Once<[String]>()

  /// The step's place in its path, and the settings for it.
  package struct Place: Sendable {
    var isLast = true
    /// Whether every step of the path is inferred.
    var isPathInferred = false
    /// The family's treatment of invalid objects if a mapping model gives none.
    var validation: ValidationMode?
    /// Source columns that are the first column of an index.
    var leadingColumns: [String: Set<String>] = [:]
    /// Whether everything runs row by row.
    var goesByRows = false
  }

  init(
    from source: FamilyVersion, to destination: FamilyVersion, work: Work, sourceLayout: StoreLayout,
    destinationLayout: StoreLayout, place: Place, findings: [PlanFinding] = [], warnings: [String] = []
  ) {
    self.source = source
    self.destination = destination
    self.work = work
    self.sourceLayout = sourceLayout
    self.destinationLayout = destinationLayout
    self.place = place
    self.findings = findings
    self.warnings = warnings
    switch work {
    case .inferred(let mapping):
      pairing = EntityPairing(
        source: sourceLayout, destination: destinationLayout, mappingModel: mapping.mappingModel)
      passPlan = nil
    case .passes(let models):
      pairing = .none(from: sourceLayout, to: destinationLayout)
      passPlan = PassPlan(
        source: sourceLayout, destination: destinationLayout, mappingModels: models,
        leadingColumns: place.leadingColumns)
    }
  }

  var inferred: InferredMapping? { if case .inferred(let mapping) = work { mapping } else { nil } }

  var mappingModels: [MappingModel] {
    switch work {
    case .inferred(let mapping): [mapping.mappingModel]
    case .passes(let models): models
    }
  }

  var inferredWork: InferredWork {
    copying {
      InferredWork(
        pairing, name: mappingModels.first?.name ?? "", leadingColumns: place.leadingColumns,
        validation: InferredValidation(
          pairing: pairing, mode: place.validation, isLast: place.isLast, isPlanned: place.isPathInferred))
    }
  }

  var mappedWork: MappedWork? {
    guard let passPlan else { return nil }
    return mapping {
      MappedWork(
        passPlan, models: mappingModels, readers: unread.readers, validation: place.validation,
        byRows: place.goesByRows)
    }
  }

  /// The source properties that the mapping models don't read, or read only in part.
  var unread: UnreadProperties {
    reading { UnreadProperties(mappingModels, from: source.model, to: destination.model) }
  }

  /// The losses of mapping models that depend on the source's rows; `nil` for an inferred step.
  var mappedLosses: MappedLosses? {
    passPlan.map { plan in losing { MappedLosses(plan, mappingModels, unread) } }
  }

  /// The inputs of the result that follow from versions, mappings and settings.
  func digestParts() throws -> [String] {
    // Making the schema can fail, so its statements aren't kept.
    let schema = try SchemaStatements(destinationLayout).all
    return schema + digesting { ownDigestParts }
  }

  private var ownDigestParts: [String] {
    let works = mappedWork.map { $0.filling + $0.checking } ?? inferredWork.filling + inferredWork.checking
    let quarantine = mappedWork.map(\.quarantine) ?? inferredWork.quarantine
    return [source.hashes.digest, destination.hashes.digest] + destination.model.versionIdentifiers
      + [String(destinationLayout.framework.number)] + works.flatMap(\.statements)
      + works.compactMap { $0.numbering.map { "\($0)" } } + (quarantine?.digestParts ?? []) + rules
  }

  /// The settings and rules that decide which objects are checked, and what is done about them.
  ///
  /// The hashes of a version don't include all of its rules, so the digest has both hashes and rules.
  private var rules: [String] {
    let rules = destination.model.entities.flatMap { entity in
      entity.attributes.map {
        "\(entity.name).\($0.name) \($0.isOptional) \($0.limits) \($0.validationPredicates)"
      }
        + entity.relationships.map {
          "\(entity.name).\($0.name) \($0.isOptional) \($0.minimumCount) \($0.maximumCount) \($0.validationPredicates)"
        }
    }
    let modes = ([place.validation] + mappingModels.map(\.validation)).map { String(describing: $0) }
    return ["\(place.isLast) \(place.isPathInferred)"] + modes + rules
  }
}
