internal import DecantMapping
internal import DecantModel
internal import DecantStore

/// The relationship mappings of a step, by the destination relationship that they set.
package struct LinkGroups {
  private struct Setting {
    let destination: String
    let mapping: PassPlan.Mapping
    /// The source relationship that the mapping follows; `nil` for any other expression.
    let source: Relationship?
    /// The entity mapping whose objects the expression gives; `nil` if it names no entity mapping.
    let target: String?

    init(_ row: RelationshipMapping, _ mapping: PassPlan.Mapping, _ plan: PassPlan) {
      destination = row.destinationName
      self.mapping = mapping
      let expression = try? RelationshipExpression(of: row)
      let path = expression?.path ?? []
      source = path.count == 1 ? plan.source.model.relationship(path[0], of: mapping.source) : nil
      target = if case .mapping(let name, _)? = expression { name } else { nil }
    }
  }

  private let plan: PassPlan
  private var settings: [StoreLayout.Property: [Setting]] = [:]

  init(_ plan: PassPlan) {
    self.plan = plan
    for mapping in plan.mappings {
      for row in mapping.mapping.settingMappings {
        settings[name(row.destinationName, mapping.destination), default: []].append(
          Setting(row, mapping, plan))
      }
    }
  }

  private func name(_ relationship: String, _ entity: String) -> StoreLayout.Property {
    plan.destination.model.topmost(.init(entity: entity, name: relationship))
  }

  /// Whether all pairs of a link are certainly in the finished destination.
  func isSafe(
    _ link: SourceReaders.Link, of mapping: PassPlan.Mapping, to target: PassPlan.Mapping
  ) -> Bool {
    let model = plan.destination.model
    guard let relationship = model.relationship(link.relationship, of: mapping.destination),
      !relationship.isTransient, link.mapping == nil || link.mapping == target.mapping.name,
      model.isKind(target.destination, of: relationship.destinationEntityName)
    else { return false }
    let own = settings[name(link.relationship, mapping.destination)] ?? []
    let row = own.first { $0.mapping.number == mapping.number && $0.destination == link.relationship }
    guard let last = row?.source else { return false }
    let inverse = model.inverse(of: relationship)
    let back = inverse.map { settings[name($0.relationship.name, $0.entity.name)] ?? [] } ?? []
    let isSelf = inverse?.relationship == relationship
    if !isSelf, !back.allSatisfy({ gives(mapping, from: $0, backTo: last) }) { return false }
    let isShared = mapping.mapping.uniqueBy != nil || target.mapping.uniqueBy != nil
    if !relationship.isToMany, last.isToMany || isShared { return false }
    // A to-many relationship without an inverse is a column of the target's row.
    guard inverse.map({ !$0.relationship.isToMany }) ?? relationship.isToMany else { return true }
    let isOneOwner =
      last.inverseName == nil
      ? last.isToMany : plan.source.model.inverse(of: last)?.relationship.isToMany == false
    return isOneOwner && !isShared && own.count == 1
  }

  /// Whether a relationship mapping follows the inverse of a source relationship to the objects of an entity mapping.
  private func gives(
    _ mapping: PassPlan.Mapping, from setting: Setting, backTo relationship: Relationship
  ) -> Bool {
    guard let source = setting.source, source.inverseName == relationship.name,
      relationship.inverseName == source.name
    else { return false }
    return setting.target == nil || setting.target == mapping.mapping.name
  }
}
