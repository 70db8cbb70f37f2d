internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// How the relationships of an entity mapping's objects are written, over sets of rows.
///
/// `column`, `copy` and `otherEnd` read no existing pairs. No other mapping changes these pairs, so the order of the
/// mappings makes no difference (docs/mapping-models.md, “How they run”). Dangling references are removed later.
struct LinkPlan {
  enum Way {
    /// With the object's row: SQL over the source row `s` for the target's key.
    case column(String)
    /// As a copy of a source join table's pairs.
    case copy(JoinCopy)
    /// By the entity mapping of the inverse, which gives the same pairs.
    case otherEnd
    /// By looking up the associations and comparing with the existing pairs.
    case pairs(LinkTargets, RelationshipStorage)
    /// By the evaluator, for the given reason.
    case objectByObject(NotSet)
  }

  let plan: PassPlan
  let mapping: PassPlan.Mapping
  let links: [(relationship: Relationship, way: Way)]

  /// - Parameter compares: Whether all pairs have to be compared with existing ones.
  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping, compares: Bool = false) {
    self.plan = plan
    self.mapping = mapping
    let compares =
      compares || mapping.mapping.uniqueBy != nil
      // It isn't known what a policy sets, and when.
      || plan.mappings.contains { $0.mapping.policy != nil }
    links = mapping.mapping.settingMappings.compactMap { row -> (Relationship, Way)? in
      guard
        let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
        !relationship.isTransient
      else { return nil }
      if !compares, let end = LinkEnd(row, of: mapping, plan), let way = Self.way(end, plan) {
        return (relationship, way)
      }
      do throws(NotSQL) {
        guard let expression = try RelationshipExpression(of: row) else { return nil }
        let targets = try LinkTargets(expression, relationship, from: mapping, plan)
        guard
          let storage = RelationshipStorage(
            of: relationship.name, entity: mapping.destination, in: plan.destination)
        else { throw NotSQL("the relationship isn't stored") }
        return (relationship, .pairs(targets, storage))
      } catch {
        let reason = NotSet(
          entityMapping: mapping.mapping.name, property: relationship.name, reason: error.reason)
        return (relationship, .objectByObject(reason))
      }
    }
  }

  /// The to-one relationships that are written with the objects, with SQL over the source row `s` for the target's key.
  var columns: [String: String] {
    links.reduce(into: [:]) { columns, link in
      if case .column(let key) = link.way { columns[link.relationship.name] = key }
    }
  }

  var copies: [JoinCopy] { links.compactMap { if case .copy(let copy) = $0.way { copy } else { nil } } }

  /// A way that reads no existing pairs; `nil` if the pairs have to be compared with existing pairs.
  private static func way(_ end: LinkEnd, _ plan: PassPlan) -> Way? {
    guard end.isPlain else { return nil }
    let model = plan.destination.model
    func setters(of name: String, _ entity: String) -> [PassPlan.Mapping] {
      plan.mappings.filter { model.areRelated($0.destination, entity) && $0.mapping.sets(name) }
    }
    var other: LinkEnd?
    if let inverse = end.inverse {
      let name = inverse.relationship.name
      let rows = setters(of: name, inverse.entity.name).flatMap { setter in
        setter.mapping.settingMappings.filter { $0.destinationName == name }.map { ($0, setter) }
      }
      if let (row, setter) = rows.first {
        // If both ends are mapped, both must give the same pairs.
        guard rows.count == 1, setter.number == end.target.number,
          let mirror = LinkEnd(row, of: setter, plan), end.mirrors(mirror)
        else { return nil }
        other = mirror
      }
    }
    guard end.relationship.isToMany else {
      if end.leadsToAll { return end.sourceKey.map(Way.column) }
      guard other == nil, end.target.number < end.mapping.number else { return nil }
      return end.lookedUpKey.map(Way.column)
    }
    // Another mapping of the same to-many relationship may change the same pairs later.
    guard let inverse = end.inverse, end.isWhole, end.leadsToAll,
      setters(of: end.relationship.name, end.mapping.destination).map(\.number) == [end.mapping.number]
    else { return nil }
    if !inverse.relationship.isToMany { return other?.sourceKey == nil ? nil : .otherEnd }
    if let other, other.mapping.number < end.mapping.number { return .otherEnd }
    return end.copy(in: plan).map(Way.copy)
  }
}
