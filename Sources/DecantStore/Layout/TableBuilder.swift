internal import DecantModel

/// Builds the tables of root entities with their columns (docs/formats/core-data-sqlite.md 2).
struct TableBuilder {
  private let model: ManagedObjectModel
  private let numbers: [String: Int]
  /// To-many relationships without inverse, by destination entity.
  private let owners: [String: [StoreLayout.Property]]
  private(set) var unsettled: [StoreLayout.Unsettled] = []

  init(model: ManagedObjectModel, numbers: [String: Int]) {
    self.model = model
    self.numbers = numbers
    var owners: [String: [StoreLayout.Property]] = [:]
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.isToMany && !relationship.isTransient && model.inverse(of: relationship) == nil {
        owners[relationship.destinationEntityName, default: []].append(
          StoreLayout.Property(entity: entity.name, name: relationship.name))
      }
    }
    self.owners = owners
  }

  mutating func tables() -> [StoreLayout.Table] {
    model.rootEntities.map { root in
      StoreLayout.Table(
        name: "Z" + root.name.uppercased(), rootEntity: root.name, columns: columns(of: root))
    }
  }

  private struct Draft {
    var column: StoreLayout.Column
    var group: Int
  }

  private mutating func columns(of root: Entity) -> [StoreLayout.Column] {
    var names = ColumnNames()
    var drafts: [Draft] = []
    var orders: [(column: StoreLayout.Column, number: Int, toMany: String)] = []
    for entity in model.family(of: root.name) {
      for attribute in inTableOrder(entity) where !attribute.isTransient {
        let property = StoreLayout.Property(entity: entity.name, name: attribute.name)
        // A composite attribute without elements has no column.
        if attribute.type == .composite, attribute.elements.isEmpty { continue }
        guard let (group, type) = attribute.type.traits.column else {
          unsettled.append(
            StoreLayout.Unsettled(
              property: property,
              question: attribute.type == .composite
                ? "which columns a composite attribute within a composite attribute has"
                : "which column a stored \(attribute.type.name) attribute has",
              canBeSettled: false))
          continue
        }
        noteRepetition(property, of: entity)
        let name = label(property, in: &names, as: attribute.element?.name)
        drafts.append(Draft(column: .init(name: name, type: type, role: .attribute(property)), group: group))
      }
      for relationship in sorted(entity.relationships, by: \.name)
      where !relationship.isToMany && !relationship.isTransient {
        let property = StoreLayout.Property(entity: entity.name, name: relationship.name)
        noteRepetition(property, of: entity)
        let name = label(property, in: &names)
        drafts.append(Draft(column: .init(name: name, type: "INTEGER", role: .toOne(property)), group: 0))
        let destination = relationship.destinationEntityName
        if !model.subentities(of: destination).isEmpty {
          let wanted = "Z\(numbers[destination] ?? 0)_\(relationship.name.uppercased())"
          let column = names.take(wanted, for: property).name
          if column != wanted || name != "Z" + relationship.name.uppercased() {
            note(property, "the name of its entity column beside another “\(wanted)” or “\(name)”")
          }
          drafts.append(
            Draft(column: .init(name: column, type: "INTEGER", role: .toOneEntity(property)), group: 0))
        }
        if let inverse = model.inverse(of: relationship), inverse.relationship.isOrdered,
          inverse.relationship.isToMany
        {
          let column = StoreLayout.Column(
            name: "Z_FOK_" + name.dropFirst(), type: "INTEGER", role: .order(property))
          orders.append((column, numbers[destination] ?? 0, inverse.relationship.name))
        }
      }
      drafts += ownerColumns(at: entity, names: &names)
    }
    orders.sort { left, right in
      left.number != right.number
        ? left.number < right.number : NameOrder.ignoringCase(right.toMany, left.toMany)
    }
    drafts += orders.map { Draft(column: $0.column, group: 1) }
    let head: [StoreLayout.Column] = [
      .init(name: "Z_PK", type: "INTEGER PRIMARY KEY", role: .key),
      .init(name: "Z_ENT", type: "INTEGER", role: .entity), .init(name: "Z_OPT", type: "INTEGER", role: .saves),
    ]
    return head + (0...8).flatMap { group in drafts.filter { $0.group == group }.map(\.column) }
  }

  /// Makes the columns of to-many relationships without inverse that lead to this entity
  /// (docs/formats/core-data-sqlite.md 4.8, seen in one store).
  private mutating func ownerColumns(at entity: Entity, names: inout ColumnNames) -> [Draft] {
    (owners[entity.name] ?? []).sorted { NameOrder.ignoringCase($0.name, $1.name) }.map { property in
      let wanted = "Z\(numbers[property.entity] ?? 0)\(property.name.uppercased())"
      let column = names.take(wanted, for: property).name
      if column != wanted { note(property, "the name of its column on “\(entity.name)”") }
      if model.relationship(property.name, of: property.entity)?.isOrdered == true {
        note(property, "where the order of a to-many relationship without inverse is kept", canBeSettled: false)
      }
      if !model.subentities(of: property.entity).isEmpty {
        note(property, "whether the owner's entity is kept beside its key", canBeSettled: false)
      }
      return Draft(column: .init(name: column, type: "INTEGER", role: .owner(property)), group: 0)
    }
  }

  /// The attributes in the order of their names.
  ///
  /// A composite attribute is replaced by its elements in their order (docs/formats/core-data-sqlite.md 2.4).
  private func inTableOrder(_ entity: Entity) -> [Attribute] {
    let elements = Dictionary(grouping: entity.attributes.filter { $0.element != nil }) {
      $0.element?.composite.name ?? ""
    }
    return sorted(entity.attributes.declared, by: \.name).flatMap { attribute in
      guard let own = elements[attribute.name] else { return [attribute] }
      return attribute.elements.compactMap { element in own.first { $0.element?.name == element.name } }
    }
  }

  /// The column's name: the property's name in upper case after a `Z` (docs/formats/core-data-sqlite.md 2.2).
  ///
  /// A name that is taken in the table gets a digit.
  ///
  /// - Parameter element: The name of an element within its composite attribute; `nil` for other properties.
  private mutating func label(
    _ property: StoreLayout.Property, in names: inout ColumnNames, as element: String? = nil
  ) -> String {
    let taken = names.take(
      "Z" + (element ?? property.name).uppercased(), for: property, isElement: element != nil)
    switch taken.certainty {
    case .certain: break
    case .besideDigit:
      note(property, "its column's name beside a property whose name ends in a digit")
    case .besideOwn(let other):
      note(
        property,
        "whether its column or that of “\(other.name)” has the digit, because the names differ in case alone",
        canBeSettled: false)
    }
    return taken.name
  }

  /// Notes an open point if an entity declares a property of its parent again (docs/formats/core-data-sqlite.md 13).
  ///
  /// No genuine store with such a property was ever seen.
  private mutating func noteRepetition(_ property: StoreLayout.Property, of entity: Entity) {
    guard let parent = entity.superentityName, model.declaringEntity(of: property.name, in: parent) != nil
    else { return }
    note(property, "whether a property that its parent entity also declares has a column of its own")
  }

  private mutating func note(
    _ property: StoreLayout.Property, _ question: String, canBeSettled: Bool = true
  ) {
    unsettled.append(.init(property: property, question: question, canBeSettled: canBeSettled))
  }

  private func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
    items.sorted { NameOrder.ignoringCase(name($0), name($1)) }
  }
}
