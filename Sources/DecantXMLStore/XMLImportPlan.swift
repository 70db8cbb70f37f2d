internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Maps the names in an XML store to entities and properties.
///
/// In the file, entities are in upper case and properties in lower case (docs/formats/xml-stores.md 3.1).
struct XMLImportPlan {
  /// A stored relationship of the model, with its number in the column `relation` of `XMLReferences.tables`.
  struct Relation {
    let number: Int
    /// The entity that declares the relationship.
    let entity: String
    let relationship: Relationship
    var name: String { "\(entity).\(relationship.name)" }
  }

  struct EntityPlan {
    let name: String
    let number: Int
    /// The statement that inserts an object.
    ///
    /// The statement's parameters are the key and then the attributes in the order of `place`.
    let insert: String
    let attributes: [String: [(attribute: Attribute, place: Int)]]
    let attributeCount: Int
    let relations: [String: [Relation]]
  }

  let layout: StoreLayout
  let relations: [Relation]
  /// Concrete entities by name in upper case.
  private let entities: [String: [EntityPlan]]
  private let abstractNames: Set<String>

  init(_ layout: StoreLayout) {
    self.layout = layout
    let model = layout.model
    var relations: [Relation] = []
    var numbers: [StoreLayout.Property: Int] = [:]
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        numbers[StoreLayout.Property(entity: entity.name, name: relationship.name)] = relations.count
        relations.append(Relation(number: relations.count, entity: entity.name, relationship: relationship))
      }
    }
    self.relations = relations
    var plans: [String: [EntityPlan]] = [:]
    for entity in model.entities where !entity.isAbstract {
      plans[entity.name.uppercased(), default: []].append(
        Self.plan(entity, layout) { property in numbers[property].map { relations[$0] } })
    }
    entities = plans
    abstractNames = Set(model.entities.filter(\.isAbstract).map { $0.name.uppercased() })
  }

  private static func plan(
    _ entity: Entity, _ layout: StoreLayout, relation: (StoreLayout.Property) -> Relation?
  ) -> EntityPlan {
    var columns: [String] = []
    var attributes: [String: [(attribute: Attribute, place: Int)]] = [:]
    for attribute in layout.model.attributes(of: entity.name) where !attribute.isTransient {
      if let column = layout.attributeColumn(attribute.name, of: entity.name) { columns.append(column) }
      // An attribute without a column is refused if it has a value.
      let hasColumn = layout.attributeColumn(attribute.name, of: entity.name) != nil
      attributes[attribute.name.lowercased(), default: []].append(
        (attribute, hasColumn ? columns.count - 1 : -1))
    }
    var relations: [String: [Relation]] = [:]
    for relationship in layout.model.relationships(of: entity.name) where !relationship.isTransient {
      if let found = layout.property(relationship.name, of: entity.name).flatMap(relation) {
        relations[relationship.name.lowercased(), default: []].append(found)
      }
    }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map(quoted).joined(separator: ", ")
    let number = layout.entityNumbers[entity.name] ?? 0
    return EntityPlan(
      name: entity.name, number: number,
      insert: "INSERT OR FAIL INTO \(quoted(layout.table(of: entity.name)?.name ?? "")) (\(names)) "
        + "VALUES (?, \(number), 1\(String(repeating: ", ?", count: columns.count)))",
      attributes: attributes, attributeCount: columns.count, relations: relations)
  }

  func entity(of object: XMLObject) throws(XMLAttributeText.Refusal) -> EntityPlan {
    let found = entities[object.type.uppercased()] ?? []
    guard let plan = found.first else {
      throw XMLAttributeText.Refusal(
        reason: abstractNames.contains(object.type.uppercased())
          ? "its entity is abstract and has no objects of its own" : "the model has no such entity")
    }
    guard found.count == 1 else {
      throw XMLAttributeText.Refusal(
        reason: "the model has \(found.count) entities of that name, which differ in case alone")
    }
    return plan
  }

  func attribute(
    _ item: XMLObject.Attribute, in plan: EntityPlan
  ) throws(XMLAttributeText.Refusal) -> (attribute: Attribute, place: Int) {
    let found = plan.attributes[item.name.lowercased()] ?? []
    try check(found.count, in: plan)
    guard found[0].place >= 0 else {
      throw XMLAttributeText.Refusal(
        reason: "how an XML store holds a value of type \(found[0].attribute.type.name) is not known")
    }
    return found[0]
  }

  func relation(
    _ item: XMLObject.Relationship, in plan: EntityPlan
  ) throws(XMLAttributeText.Refusal) -> Relation {
    let found = plan.relations[item.name.lowercased()] ?? []
    try check(found.count, in: plan)
    let relation = found[0]
    if let type = item.type {
      let counts = type.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard counts.count == 2, counts[0] != nil, let most = counts[1] else {
        throw XMLAttributeText.Refusal(reason: "“\(type.prefix(40))” isn't a type of relationship")
      }
      guard (most == 1) == !relation.relationship.isToMany else {
        let (file, model) = most == 1 ? ("to-one", "to-many") : ("to-many", "to-one")
        throw XMLAttributeText.Refusal(
          reason: "the relationship is \(file) in the file and \(model) in the model")
      }
    }
    if let destination = item.destination {
      let model = layout.model
      let wanted = relation.relationship.destinationEntityName
      let related = model.chain(of: wanted) + model.family(of: wanted)
      guard related.contains(where: { $0.name.uppercased() == destination.uppercased() }) else {
        throw XMLAttributeText.Refusal(
          reason:
            "the relationship leads to “\(destination.prefix(40))” in the file and to “\(wanted)” in the model")
      }
    }
    return relation
  }

  private func check(_ count: Int, in plan: EntityPlan) throws(XMLAttributeText.Refusal) {
    switch count {
    case 0: throw XMLAttributeText.Refusal(reason: "the model stores no such property of “\(plan.name)”")
    case 1: break
    default:
      throw XMLAttributeText.Refusal(
        reason: "“\(plan.name)” has \(count) properties of that name, which differ in case alone")
    }
  }
}
