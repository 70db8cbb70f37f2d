internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The relationships of an entity mapping that are written without reading existing pairs.
///
/// No other mapping sets them, so the order makes no difference (docs/mapping-models.md, “How they run”).
///
/// To-one relationships become columns of the objects' rows. Pairs of a many-to-many relationship are copied. Dangling
/// references are removed later, as everywhere.
package struct DirectLinks {
  /// To-one relationships, with SQL over the source row `s` for the target's key.
  private(set) var columns: [String: String] = [:]
  /// Copies of join tables.
  private(set) var copies: [JoinCopy] = []
  /// Relationships that are written by `DirectLinks` of this or another entity mapping.
  private(set) var names: Set<String> = []

  static let none = DirectLinks()

  private init() {}

  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    // It isn't known what a policy sets, and when.
    guard mapping.mapping.uniqueBy == nil, plan.mappings.allSatisfy({ $0.mapping.policy == nil }) else {
      return
    }
    for row in mapping.mapping.settingMappings {
      guard let link = DirectLink(row, of: mapping, plan) else { continue }
      switch link.way {
      case .column(let value): columns[row.destinationName] = value
      case .join(let copy): copies += [copy].compactMap(\.self)
      case .otherEnd: break
      }
      names.insert(row.destinationName)
    }
  }
}

/// One relationship of that kind.
struct DirectLink {
  package enum Way {
    /// SQL for the target's key.
    case column(String)
    /// `nil` if the mapping of the inverse copies the pairs.
    case join(JoinCopy?)
    /// The mapping of the inverse writes the relationship.
    case otherEnd
  }

  let way: Way

  init?(_ row: RelationshipMapping, of mapping: PassPlan.Mapping, _ plan: PassPlan) {
    guard let end = LinkEnd(row, of: mapping, plan), end.isPlain else { return nil }
    var other: LinkEnd?
    if let inverse = plan.destination.model.inverse(of: end.relationship) {
      guard inverse.relationship != end.relationship,
        end.relationship.isToMany || inverse.relationship.isToMany
      else { return nil }
      // If both ends are mapped, both must give the same pairs.
      let rows = plan.mappings.flatMap { candidate in
        plan.destination.model.areRelated(candidate.destination, inverse.entity.name)
          ? candidate.mapping.settingMappings.filter { $0.destinationName == inverse.relationship.name }
            .map { ($0, candidate) } : []
      }
      if let (row, candidate) = rows.first {
        guard rows.count == 1, candidate.number == end.target.number,
          let mirror = LinkEnd(row, of: candidate, plan), end.mirrors(mirror)
        else { return nil }
        other = mirror
      }
    } else if end.relationship.isToMany {
      return nil
    }
    // Another mapping of the same many-to-many relationship may change the same pairs later.
    let isShared = plan.mappings.contains { candidate in
      candidate.number != mapping.number
        && plan.destination.model.areRelated(candidate.destination, mapping.destination)
        && candidate.mapping.sets(end.relationship.name)
    }
    guard !(end.relationship.isToMany && isShared), let way = Self.way(end, other, plan) else { return nil }
    self.way = way
  }

  private static func way(_ end: LinkEnd, _ other: LinkEnd?, _ plan: PassPlan) -> Way? {
    if !end.relationship.isToMany {
      guard let key = end.sourceKey else { return nil }
      if end.leadsToAll { return .column(key) }
      guard other == nil, end.target.number < end.mapping.number else { return nil }
      return .column("\(TargetLookup.target)(\(end.target.number), \(key))")
    }
    guard end.isWhole, end.leadsToAll else { return nil }
    guard let inverse = plan.destination.model.inverse(of: end.relationship) else { return nil }
    if !inverse.relationship.isToMany {
      return other.flatMap { $0.sourceKey == nil ? nil : .otherEnd }
    }
    if let other, other.mapping.number < end.mapping.number { return .join(nil) }
    return end.copy(in: plan).map { .join($0) }
  }
}
