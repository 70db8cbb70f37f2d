internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// A relationship mapping that follows at most one source relationship, to the objects of one entity mapping
/// (`target`).
///
/// The relationship mapping leads from each source object to the objects that `target` made from the source targets.
struct LinkEnd {
  let relationship: Relationship
  let mapping: PassPlan.Mapping
  let target: PassPlan.Mapping
  let inverse: (entity: Entity, relationship: Relationship)?
  /// Where the destination keeps the pairs.
  let place: RelationshipStorage
  /// The path from a source object to its source target.
  let path: SourcePath
  /// Where the source keeps the pairs; `nil` if the source target is the source object itself.
  private var storage: RelationshipStorage? { path.last?.storage }
  private let isTargetWhole: Bool
  private let isOwnInverse: Bool
  /// Whether all source objects become objects with the same keys, in a destination table without other objects.
  let isWhole: Bool

  init?(_ row: RelationshipMapping, of mapping: PassPlan.Mapping, _ plan: PassPlan) {
    guard
      let relationship = plan.destination.model.relationship(row.destinationName, of: mapping.destination),
      let place = RelationshipStorage(
        of: row.destinationName, entity: mapping.destination, in: plan.destination),
      let expression = try? RelationshipExpression(of: row), expression.path.count <= 1,
      let targets = try? LinkTargets(expression, relationship, from: mapping, plan),
      let target = targets.mappings.first, targets.mappings.count == 1, target.pass <= mapping.pass
    else { return nil }
    self.relationship = relationship
    self.mapping = mapping
    self.place = place
    self.target = target
    inverse = plan.destination.model.inverse(of: relationship)
    isOwnInverse = plan.destination.model.isOwnInverse(relationship.name, of: mapping.destination)
    path = targets.path
    guard path.last?.storage.order == nil, path.last?.storage.inverseOrder == nil else { return nil }
    isTargetWhole = Self.isWhole(target, plan)
    isWhole = Self.isWhole(mapping, plan)
  }

  /// Whether writing a pair means writing one key in one place.
  var isPlain: Bool {
    place.order == nil && place.inverseOrder == nil
      // Pairs in the rows of targets are set by the mapping of the inverse, together with the entity number.
      && (place.kind == .targets || place.entityColumn == nil)
      && !isOwnInverse
      && (place.kind != .owners || inverse?.relationship.isToMany != false)
  }

  /// No other mapping may make objects in the destination table.
  ///
  /// Otherwise the key of a missing object could be the key of another object.
  private static func isWhole(_ mapping: PassPlan.Mapping, _ plan: PassPlan) -> Bool {
    mapping.keepsKeys && mapping.mapping.uniqueBy == nil && [nil, .always].contains(mapping.mapping.filter)
      && plan.source.model.family(of: mapping.source).count == 1
      && plan.mappings.count { $0.destinationTable.rootEntity == mapping.destinationTable.rootEntity } == 1
  }

  /// Whether every object at the end of the path became an object of the target mapping, with the same key.
  var leadsToAll: Bool { isTargetWhole && target.source == path.entity }

  /// The source key at the end of the path, over the source row `s`; `nil` for a to-many path.
  var sourceKey: String? { path.joins.isEmpty ? path.key : nil }

  /// The target's key, over the source row `s`; `nil` for a to-many path.
  var lookedUpKey: String? { sourceKey.map(target.lookingUp) }

  /// Whether another relationship mapping follows the inverse back, so that both give the same pairs.
  func mirrors(_ other: LinkEnd) -> Bool {
    guard let storage, let back = other.storage else { return false }
    return isWhole && other.isWhole && leadsToAll && other.leadsToAll && other.target.number == mapping.number
      && target.number == other.mapping.number && Self.isReverse(storage, back)
  }

  private static func isReverse(_ one: RelationshipStorage, _ other: RelationshipStorage) -> Bool {
    let back = other.reversed
    return one.table == back.table && one.owner == back.owner && one.target == back.target
  }

  /// The copy of a source join table's pairs into a join table of the destination; `nil` if no such copy is possible.
  ///
  /// - Parameter looksUp: Whether the objects may have other keys than their source objects.
  func copy(in plan: PassPlan, looksUp: Bool = false) -> JoinCopy? {
    guard let storage, storage.kind == .join, let sourceRelationship = path.last?.relationship,
      // The table has the pairs of every entity to which the inverse leads, so this must be the mapping's entity.
      plan.source.model.inverse(of: sourceRelationship)?.relationship.destinationEntityName == mapping.source,
      let (join, isNaming) = plan.destination.joinTable(relationship.name, of: mapping.destination)
    else { return nil }
    return JoinCopy(
      "\(mapping.mapping.name).\(relationship.name)", pass: mapping.pass,
      from: isNaming ? storage : storage.reversed, into: join, leadingColumns: plan.leadingColumns,
      lookups: looksUp ? (isNaming ? (mapping, target) : (target, mapping)) : nil)
  }
}
