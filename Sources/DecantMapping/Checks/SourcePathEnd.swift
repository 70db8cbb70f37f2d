internal import DecantModel
internal import PredicateFormat

/// The end of a path over the source model.
enum SourcePathEnd {
  /// Objects of an entity, or of its subentities.
  case objects(entity: String, isToMany: Bool)
  case attribute(Attribute, entity: String)
  /// A value that isn't in the model, such as a string's length.
  case unknown
  /// Neither the entity nor its subentities have this key.
  case noKey(String, entity: String)

  /// Follows a path from an entity's object.
  init(_ steps: [KeyPath.Step], from entity: String, in model: ManagedObjectModel) {
    var place = SourcePathEnd.objects(entity: entity, isToMany: false)
    var isFirst = true
    for step in steps {
      guard case .key(let key) = step, case .objects(let entity, let isToMany) = place else {
        self = .unknown
        return
      }
      // The source object is of exactly this entity; the target of a relationship may be of a subentity.
      let entities = isFirst ? [entity] : model.family(of: entity).map(\.name)
      isFirst = false
      if let relationship = entities.lazy.compactMap({ model.relationship(key, of: $0) }).first {
        place = .objects(
          entity: relationship.destinationEntityName, isToMany: isToMany || relationship.isToMany)
      } else if let attribute = entities.lazy.compactMap({ model.attribute(key, of: $0) }).first {
        place = isToMany ? .unknown : .attribute(attribute, entity: entity)
      } else if entities.contains(where: { name in
        model.chain(of: name).contains { $0.fetchedProperties.contains { $0.name == key } }
      }) {
        place = .unknown
      } else {
        self = .noKey(key, entity: entity)
        return
      }
    }
    self = place
  }

  /// Follows a plain path from `$source`; `nil` for any other expression.
  init?(_ expression: FormatExpression, from entity: String, in model: ManagedObjectModel) {
    switch expression {
    case .variable("source"): self.init([], from: entity, in: model)
    case .keyPath(let path):
      guard case .variable("source") = path.operand else { return nil }
      self.init(path.steps, from: entity, in: model)
    default: return nil
    }
  }
}
