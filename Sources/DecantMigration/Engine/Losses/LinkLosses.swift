internal import DecantModel

/// What relationship mappings lose of the pairs that they give: pairs, or the order of targets.
///
/// The destination relationship may hold fewer targets, or the other end's relationship mapping may give other pairs.
struct LinkLosses {
  private(set) var found = MappedLosses.Found()
  private let plan: PassPlan

  /// The relationship mappings of a destination relationship and of its inverse.
  private struct Both {
    let relationship: Relationship
    let inverse: Relationship?
    var forward: [MappedLinks] = []
    var backward: [MappedLinks] = []
  }

  private struct Name: Hashable {
    let entity: String
    let relationship: String
  }

  init(_ rows: TakenRows) {
    plan = rows.plan
    var all: [Both] = []
    var places: [Name: (place: Int, isBackward: Bool)] = [:]
    for mapping in plan.mappings {
      for row in mapping.mapping.relationshipMappings {
        guard let links = MappedLinks(row, of: mapping, rows) else { continue }
        let name = Name(
          entity: Self.declaringEntity(
            of: links.relationship.name, mapping.destination, plan.destination.model),
          relationship: links.relationship.name)
        if let (place, isBackward) = places[name] {
          if isBackward { all[place].backward.append(links) } else { all[place].forward.append(links) }
          continue
        }
        let inverse = plan.destination.model.inverse(of: links.relationship)
        places[name] = (all.count, false)
        if let inverse {
          let other = Name(
            entity: Self.declaringEntity(
              of: inverse.relationship.name, inverse.entity.name, plan.destination.model),
            relationship: inverse.relationship.name)
          if other != name { places[other] = (all.count, true) }
        }
        all.append(
          Both(relationship: links.relationship, inverse: inverse?.relationship, forward: [links]))
      }
    }
    for both in all {
      addCapacity(both)
      addReplaced(both)
      for links in both.forward + both.backward { addOrder(links, all) }
    }
  }

  private static func declaringEntity(
    of name: String, _ entity: String, _ model: ManagedObjectModel
  ) -> String {
    model.chain(of: entity).last { $0.relationships.contains { $0.name == name } }?.name ?? entity
  }

  // MARK: Fewer targets

  private mutating func addCapacity(_ both: Both) {
    let ends = both.forward + both.backward
    let isOneTarget = !both.relationship.isToMany
    // A to-many relationship without an inverse is a column of the target's row.
    let isOneOwner = both.inverse.map { !$0.isToMany } ?? both.relationship.isToMany
    let isMirrored = both.forward.allSatisfy { link in both.backward.allSatisfy(link.mirrors) }
    let mayCrowdOwners =
      isOneTarget
      && !(both.forward.allSatisfy(\.leadsToOne) && both.backward.allSatisfy(\.comesFromOne) && isMirrored)
    let mayCrowdTargets =
      isOneOwner
      && !(both.forward.allSatisfy(\.comesFromOne) && both.backward.allSatisfy(\.leadsToOne) && isMirrored)
    guard mayCrowdOwners || mayCrowdTargets, let last = ends.compactMap(\.last).first else { return }
    let item = item(last, cause: .fewerTargets)
    do throws(NotSet) {
      var pairs: [String] = []
      for links in both.forward { pairs += try links.pairs(isReversed: false) }
      for links in both.backward { pairs += try links.pairs(isReversed: true) }
      guard !pairs.isEmpty else { return }
      var lost: [String] = []
      if mayCrowdOwners { lost.append(Self.crowded("owner", "target")) }
      if mayCrowdTargets { lost.append(Self.crowded("target", "owner")) }
      // If both ends are limited, at least the greater number is lost.
      let number = lost.count == 1 ? lost[0] : "max(\(lost.joined(separator: ", ")))"
      found.questions.append(
        LossQuestion(
          items: [item],
          statement: "WITH pairs AS (\(pairs.joined(separator: " UNION "))) SELECT \(number)",
          mappings: ends.flatMap(\.mappings)))
    } catch {
      found.uncounted.append(UncountedLoss(item: item, reason: error.reason))
    }
  }

  // MARK: Replaced pairs

  /// Asks for the pairs that a later entity mapping, of the other end, doesn't give.
  ///
  /// Where an end has room for one, only an emptied relationship takes pairs away that `addCapacity` doesn't count.
  private mutating func addReplaced(_ both: Both) {
    guard !both.forward.allSatisfy({ link in both.backward.allSatisfy(link.mirrors) }) else { return }
    let isManyToMany = both.relationship.isToMany && both.inverse?.isToMany == true
    for (ends, others, other) in [
      (both.forward, both.backward, "target"), (both.backward, both.forward, "owner"),
    ] {
      for links in ends {
        let later = others.filter {
          $0.mapping.number > links.mapping.number && (isManyToMany || $0.isEmpty)
        }.map(\.mapping.number)
        guard !later.isEmpty, let last = links.last else { continue }
        let item = item(last, cause: .replaced)
        do throws(NotSet) {
          let own = try links.pairs(isReversed: other == "owner")
          var given: [String] = []
          for links in others { given += try links.pairs(isReversed: other == "target") }
          guard !own.isEmpty else { continue }
          let kept = given.isEmpty ? "" : " EXCEPT SELECT * FROM (\(given.joined(separator: " UNION ")))"
          found.questions.append(
            LossQuestion(
              items: [item],
              statement: "SELECT count(*) FROM (SELECT * FROM (\(own.joined(separator: " UNION ")))\(kept)) "
                + "WHERE \(other)_mapping IN (\(later.map(String.init).joined(separator: ", ")))",
              mappings: links.mappings + others.flatMap(\.mappings)))
        } catch {
          found.uncounted.append(UncountedLoss(item: item, reason: error.reason))
        }
      }
    }
  }

  /// The number of pairs beyond one for each object of an end.
  private static func crowded(_ end: String, _ other: String) -> String {
    let object = "\(end)_mapping, \(end)_space, \(end)"
    return "((SELECT count(*) FROM (SELECT DISTINCT \(object), \(other)_space, \(other) FROM pairs)) - "
      + "(SELECT count(*) FROM (SELECT DISTINCT \(object) FROM pairs)))"
  }

  private func item(
    _ last: (relationship: Relationship, entity: String), cause: MigrationReport.Loss.Cause
  ) -> LossQuestion.Item {
    let entity = Self.declaringEntity(of: last.relationship.name, last.entity, plan.source.model)
    return .init(kind: .relationship, entity: entity, property: last.relationship.name, cause: cause)
  }

  // MARK: Order

  /// Asks for the pairs of owners with several targets, if no destination relationship keeps their order.
  private mutating func addOrder(_ links: MappedLinks, _ all: [Both]) {
    guard let last = links.last, links.path.count == 1, last.relationship.isOrdered, last.relationship.isToMany,
      links.relationship.isToMany, !links.relationship.isOrdered
    else { return }
    let isKept = all.flatMap { $0.forward + $0.backward }.contains {
      $0.path == links.path && $0.mapping.source == links.mapping.source && $0.relationship.isOrdered
        && !$0.mapping.mapping.chooses
    }
    guard !isKept else { return }
    let item = item(last, cause: .order)
    do throws(NotSet) {
      let pairs = try links.pairs(isReversed: false)
      guard !pairs.isEmpty else { return }
      found.questions.append(
        LossQuestion(
          items: [item],
          statement: "SELECT coalesce(sum(number), 0) FROM (SELECT count(*) AS number FROM "
            + "(SELECT DISTINCT owner, target_space, target FROM (\(pairs.joined(separator: " UNION ALL ")))) "
            + "GROUP BY owner HAVING count(*) > 1)",
          mappings: links.mappings))
    } catch {
      found.uncounted.append(UncountedLoss(item: item, reason: error.reason))
    }
  }
}
