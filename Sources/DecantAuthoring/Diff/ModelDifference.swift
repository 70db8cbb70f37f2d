internal import DecantMapping
internal import DecantModel

/// The differences between two versions of a model, with each change's effect on stores.
struct ModelDifference {
  enum Kind: String {
    case added
    case removed
    case renamed
    case changed
  }

  /// A trait that differs between the versions; `from` or `to` is `nil` if the old or the new version lacks the trait.
  struct Detail: Equatable {
    let what: String
    let from: String?
    let to: String?
    var effect = ChangeEffect.light
  }

  /// An attribute, relationship or fetched property that differs.
  struct Property {
    let kind: Kind
    /// `attribute`, `relationship` or `fetched property`.
    let sort: String
    let name: String
    let formerName: String?
    var details: [Detail]
    var effect = ChangeEffect.light
    /// The reasons why the change can't be inferred; empty if it can.
    var reasons: [String] = []
    var losesValues = false
    var condition: ChangeCondition?
  }

  struct EntityChange {
    let kind: Kind
    let name: String
    let formerName: String?
    let details: [Detail]
    let properties: [Property]
    let changesHash: Bool
    /// The greatest effect among the changes of the entity itself and of its properties.
    var effect = ChangeEffect.light
    /// The reasons why the change of the entity itself can't be inferred; empty if it can.
    var reasons: [String] = []
    var losesObjects = false
    var condition: ChangeCondition?
  }

  /// A configuration, a fetch request or the version identifiers.
  ///
  /// No rows depend on these items.
  struct ModelChange {
    let kind: Kind
    /// `configuration`, `fetch request` or `model`; the last is for version identifiers.
    let sort: String
    let name: String
    let details: [Detail]
  }

  private(set) var entities: [EntityChange] = []
  private(set) var others: [ModelChange] = []
  let refusals: [InferenceError]

  var conditions: Set<ChangeCondition> {
    Set(entities.flatMap { [$0.condition] + $0.properties.map(\.condition) }.compactMap { $0 })
  }

  /// Whether an inferred step can lose values or objects.
  var losesValues: Bool {
    entities.contains { $0.losesObjects || $0.properties.contains(where: \.losesValues) }
  }

  /// Whether a mapping model is needed, or could keep values or objects that an inferred step loses.
  var wantsText: Bool { !refusals.isEmpty || losesValues }

  var isEmpty: Bool { entities.isEmpty && others.isEmpty }

  /// - Parameter survey: The inferred mapping between the versions, and the changes that can't be inferred.
  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    survey: (mapping: InferredMapping, refusals: [InferenceError])
  ) {
    refusals = survey.refusals
    let matching = DifferenceMatching(from: source, to: destination, mapping: survey.mapping.mappingModel)
    let judgement = ChangeJudgement(from: source, to: destination, survey: survey)
    let hashes = (source.entityVersionHashes, destination.entityVersionHashes)
    for entity in destination.entities {
      guard let former = matching.source(of: entity) else {
        let change = EntityChange(
          kind: .added, name: entity.name, formerName: nil, details: [], properties: [], changesHash: true)
        entities.append(judgement.judged(change, former: nil))
        continue
      }
      // A renaming identifier with the old name is the rename itself, and not a second difference.
      let details = ModelTraits.differences(ModelTraits.of(former, matching), ModelTraits.of(entity, nil))
        .filter {
          former.name == entity.name || $0.what != "renaming identifier"
        }
      let properties = matching.properties(from: former, to: entity).map {
        judgement.judged($0, former: former, entity: entity)
      }
      guard former.name != entity.name || !properties.isEmpty || !details.isEmpty else { continue }
      let change = EntityChange(
        kind: former.name == entity.name ? .changed : .renamed, name: entity.name,
        formerName: former.name == entity.name ? nil : former.name, details: details, properties: properties,
        changesHash: hashes.0[former.name] != hashes.1[entity.name])
      entities.append(judgement.judged(change, former: former))
    }
    for entity in source.entities where !matching.isContinued(entity) {
      let change = EntityChange(
        kind: .removed, name: entity.name, formerName: nil, details: [], properties: [], changesHash: true)
      entities.append(judgement.judged(change, former: entity))
    }
    entities.sort { NameOrder.ignoringCase($0.name, $1.name) }
    others = ModelTraits.changes(from: source, to: destination)
  }
}
