package import DecantMapping
internal import DecantModel
package import DecantStore

/// A source relationship whose pairs are looked for among the new objects when a step ends.
///
/// Which pairs are kept depends on the rows, so the mapping models alone don't show it.
package struct PairQuestion: Sendable {
  /// The storage of a destination relationship that may have the pairs, seen from the objects made from the owners.
  package struct Place: Sendable, Hashable {
    package let storage: RelationshipStorage
    /// The number of the root entity of the storage's owners.
    package let ownerRoot: Int
    /// The number of the root entity of the storage's targets.
    package let targetRoot: Int
  }

  /// The name for a loss: the declaring entity and the relationship.
  package let entity: String
  package let relationship: String
  package let storage: RelationshipStorage
  package var owners: [PassPlan.Mapping]
  package let targets: [PassPlan.Mapping]
  /// The numbers of the owners' entity mappings that read the relationship, but fill no relationship from it.
  package var ownersReading: Set<Int>
  /// The numbers of the targets' entity mappings that read the inverse, but fill no relationship from it.
  package var targetsReading: Set<Int>
  package let places: [Place]
}

/// The questions of a step, about the source relationships whose pairs may be lost.
package struct PairQuestions {
  package private(set) var all: [PairQuestion] = []
  private let rows: TakenRows
  private let readers: SourceReaders
  private let lost: InferredLossNames
  private let groups: LinkGroups

  package init(_ plan: PassPlan, _ models: [MappingModel], _ readers: SourceReaders) {
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
    // A relationship that a subentity declares again is the same relationship as its parent's.
    if model.topmostEntity(declaring: relationship.name, of: entity.name) != entity.name { return false }
    guard let inverse = model.inverse(of: relationship) else { return true }
    let otherEntity = model.topmostEntity(
      declaring: inverse.relationship.name, of: inverse.entity.name)
    let isOwnLinked = isLinked(relationship.name, entity.name)
    let isOtherLinked = isLinked(inverse.relationship.name, otherEntity)
    guard isOwnLinked == isOtherLinked else { return isOwnLinked }
    let name = "\(entity.name).\(relationship.name)"
    let other = "\(otherEntity).\(inverse.relationship.name)"
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
    var targetsReading: Set<Int> = []
    var places = places(of: owners, forward, isReversed: false)
    for target in model.family(of: relationship.destinationEntityName).map(\.name) {
      let taking = rows.mappings(of: target)
      var backward: [Int: SourceReaders.Use] = [:]
      if let inverse = relationship.inverseName {
        guard let found = readers.readers(of: inverse, entity: target) else { continue }
        backward = found
      }
      let isInverseLost = relationship.inverseName.map {
        lost.drops($0, of: target) || lost.targets($0, of: target).contains(owner.name)
      }
      if isInverseLost == true { continue }
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
      targetsReading.formUnion(backward.filter { $0.value.links.isEmpty }.keys)
      for place in self.places(of: taking, backward, isReversed: true) where !places.contains(place) {
        places.append(place)
      }
    }
    guard !targets.isEmpty else { return }
    add(
      PairQuestion(
        entity: declaring, relationship: relationship.name, storage: storage, owners: owners, targets: targets,
        ownersReading: Set(forward.filter { $0.value.links.isEmpty }.keys), targetsReading: targetsReading,
        places: places))
  }

  /// Adds a question; questions that differ only in their owners become one.
  private mutating func add(_ question: PairQuestion) {
    let known = all.firstIndex { other in
      other.entity == question.entity && other.relationship == question.relationship
        && other.storage == question.storage && other.places == question.places
        && other.targets.map(\.number) == question.targets.map(\.number)
    }
    guard let known else {
      all.append(question)
      return
    }
    all[known].owners += question.owners
    all[known].ownersReading.formUnion(question.ownersReading)
    all[known].targetsReading.formUnion(question.targetsReading)
  }

  private func places(
    of mappings: [PassPlan.Mapping], _ uses: [Int: SourceReaders.Use], isReversed: Bool
  ) -> [PairQuestion.Place] {
    var places: [PairQuestion.Place] = []
    let layout = rows.plan.destination
    for mapping in mappings {
      for link in uses[mapping.number]?.links ?? [] {
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

  /// Whether each entity mapping of one end keeps all pairs with the objects of the other end's entity mappings.
  private func keepsAll(
    _ mappings: [PassPlan.Mapping], _ uses: [Int: SourceReaders.Use], _ others: [PassPlan.Mapping]
  ) -> Bool {
    mappings.allSatisfy { mapping in
      guard let use = uses[mapping.number] else { return false }
      return use.links.isEmpty
        || use.links.contains { link in others.allSatisfy { groups.isSafe(link, of: mapping, to: $0) } }
    }
  }
}
