internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// A source relationship of one entity, whose pairs are looked for among the new objects when a step ends.
///
/// Which pairs are kept follows from the rows: from filters, from `uniqueBy`, from what a relationship has room for, and
/// from what the other end's relationship mapping gives.
struct PairQuestion: Sendable {
  /// The destination relationship that may have the pairs, as its storage seen from the owner's object.
  struct Place: Sendable, Hashable {
    let storage: RelationshipStorage
    /// The entity numbers of the roots of both ends' families.
    let ownerRoot: Int
    let targetRoot: Int
  }

  /// The name for a loss: the declaring entity and the relationship.
  let entity: String
  let relationship: String
  let storage: RelationshipStorage
  let owners: [PassPlan.Mapping]
  let targets: [PassPlan.Mapping]
  /// The numbers of the entity mappings that read the relationship in another way than to fill relationships.
  let reading: Set<Int>
  let places: [Place]
}

/// The questions of a step.
///
/// There is none where each pair is certainly kept, and none for pairs that `UnreadProperties` or `others` has.
struct PairQuestions {
  private(set) var all: [PairQuestion] = []
  private let rows: TakenRows
  private let readers: SourceReaders
  private let lost: InferredLossNames
  private let groups: LinkGroups

  init(_ plan: PassPlan, _ models: [MappingModel], _ readers: SourceReaders) {
    rows = TakenRows(plan)
    self.readers = readers
    lost = InferredLossNames(models)
    groups = LinkGroups(plan)
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient && asks(relationship, entity) {
        for owner in model.family(of: entity.name) { add(relationship, of: owner, declaring: entity.name) }
      }
    }
  }

  private var model: ManagedObjectModel { rows.plan.source.model }

  /// Whether the pairs are asked for from this end, and not from the inverse.
  private func asks(_ relationship: Relationship, _ entity: Entity) -> Bool {
    // A relationship that a subentity declares again is that of its parent.
    if let parent = entity.superentityName, model.relationship(relationship.name, of: parent) != nil {
      return false
    }
    guard let inverse = model.inverse(of: relationship) else { return true }
    let isOwnLinked = isLinked(relationship.name, entity.name)
    let isOtherLinked = isLinked(inverse.relationship.name, inverse.entity.name)
    guard isOwnLinked == isOtherLinked else { return isOwnLinked }
    let name = "\(entity.name).\(relationship.name)"
    let other = "\(inverse.entity.name).\(inverse.relationship.name)"
    return name == other || NameOrder.codePoints(name, other)
  }

  private func isLinked(_ relationship: String, _ entity: String) -> Bool {
    model.family(of: entity).contains { entity in
      readers.readers(of: relationship, entity: entity.name).map { !$0.isEmpty } ?? true
    }
  }

  private mutating func add(_ relationship: Relationship, of owner: Entity, declaring: String) {
    let owners = rows.mappings(of: owner.name)
    guard !owners.isEmpty, !lost.drops(relationship.name, of: owner.name),
      let storage = RelationshipStorage(of: relationship.name, entity: owner.name, in: rows.plan.source),
      let forward = readers.readers(of: relationship.name, entity: owner.name)
    else { return }
    var targets: [PassPlan.Mapping] = []
    var reading = Set(forward.filter { $0.value == .value }.keys)
    var places = places(of: owners, forward, isReversed: false)
    for target in model.family(of: relationship.destinationEntityName).map(\.name) {
      let taking = rows.mappings(of: target)
      var backward: [Int: SourceReaders.Use] = [:]
      if let inverse = relationship.inverseName {
        guard let found = readers.readers(of: inverse, entity: target) else { continue }
        backward = found
      }
      if taking.isEmpty || taking.contains(where: { $0.mapping.policy != nil })
        || lost.targets(relationship.name, of: owner.name).contains(target)
      {
        continue
      }
      if forward.isEmpty, backward.isEmpty, !rows.isSelective(owner.name), !rows.isSelective(target) {
        continue
      }
      if keepsAll(owners, forward, taking) || keepsAll(taking, backward, owners) { continue }
      targets += taking
      reading.formUnion(backward.filter { $0.value == .value }.keys)
      for place in self.places(of: taking, backward, isReversed: true) where !places.contains(place) {
        places.append(place)
      }
    }
    guard !targets.isEmpty else { return }
    all.append(
      PairQuestion(
        entity: declaring, relationship: relationship.name, storage: storage, owners: owners, targets: targets,
        reading: reading, places: places))
  }

  private func places(
    of mappings: [PassPlan.Mapping], _ uses: [Int: SourceReaders.Use], isReversed: Bool
  ) -> [PairQuestion.Place] {
    var places: [PairQuestion.Place] = []
    let layout = rows.plan.destination
    for mapping in mappings {
      guard case .links(let links)? = uses[mapping.number] else { continue }
      for link in links {
        guard let relationship = layout.model.relationship(link.relationship, of: mapping.destination),
          let storage = RelationshipStorage(of: link.relationship, entity: mapping.destination, in: layout),
          let own = layout.rootNumber(of: mapping.destination),
          let other = layout.rootNumber(of: relationship.destinationEntityName)
        else { continue }
        let place = PairQuestion.Place(
          storage: isReversed ? storage.reversed : storage, ownerRoot: isReversed ? other : own,
          targetRoot: isReversed ? own : other)
        if !places.contains(place) { places.append(place) }
      }
    }
    return places
  }

  /// Whether each entity mapping of one end reads the relationship, and each link has room for what all entity mappings
  /// of the other end make.
  private func keepsAll(
    _ mappings: [PassPlan.Mapping], _ uses: [Int: SourceReaders.Use], _ others: [PassPlan.Mapping]
  ) -> Bool {
    mappings.allSatisfy { mapping in
      switch uses[mapping.number] {
      case nil: false
      case .value: true
      case .links(let links):
        links.contains { link in
          others.allSatisfy { groups.isSafe(link, of: mapping, to: $0) }
        }
      }
    }
  }
}
