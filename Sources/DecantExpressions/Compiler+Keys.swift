internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

extension Compiler {
  /// The meaning of a key for the rows of an entity and its subentities.
  private enum Property {
    case attribute([Variant<AttributeColumn>])
    case relationship(Relationship, RelationshipStorage?, Variant<Void>)
    /// A transient attribute, which is always nil.
    case absent(Variant<Void>)
  }

  /// The meaning of a key for the rows of some entities.
  ///
  /// `numbers` are the numbers of these entities (`Z_ENT`), or empty if the key has this meaning for all entities.
  private struct Variant<Content> {
    let numbers: [Int]
    let content: Content
  }

  /// Compiles a key of the row at the end of a route.
  mutating func step(_ key: String, from route: Route) throws(NotSQL) -> Operand {
    if key == "entity", !isProperty(key, of: route.entity) { return entityName(of: route) }
    switch try property(key, of: route.entity) {
    case .attribute(let variants):
      let column = read(variants, key, route)
      guard let kind = variants.first?.content.kind else { return .constant(.null) }
      if route.isMany { return .members(listed(route), SQLValue(column, kind)) }
      // A column of the row itself may start a chain.
      let isOwn = route.joins.isEmpty && variants.count == 1 && variants[0].numbers.isEmpty
      return .value(
        SQLValue(
          route.scalar(column), kind, chain: isOwn ? variants[0].content.chain(alias: route.alias) : nil))
    case .absent(let variant):
      let text = variant.numbers.isEmpty ? "NULL" : guarded("NULL", variant.numbers, key, route)
      if route.isMany { return .members(listed(route), SQLValue(text, .null)) }
      return .value(SQLValue(route.scalar(text), .null))
    case .relationship(let relationship, let storage, let variant):
      return try follow(relationship, storage, numbers: variant.numbers, from: route)
    }
  }

  private func isProperty(_ key: String, of entity: String) -> Bool {
    layout.model.family(of: entity).contains {
      layout.model.attribute(key, of: $0.name) != nil || layout.model.relationship(key, of: $0.name) != nil
    }
  }

  private func entityName(of route: Route) -> Operand {
    let cases = layout.model.family(of: route.entity).compactMap { member in
      layout.entityNumbers[member.name].map { "WHEN \($0) THEN \(SQLText.string(member.name))" }
    }
    let text = cases.isEmpty ? "NULL" : "CASE \(route.alias).Z_ENT \(cases.joined(separator: " ")) END"
    if route.isMany { return .members(listed(route), SQLValue(text, .string)) }
    return .value(SQLValue(route.scalar(text), .string))
  }

  /// The values that the members have for a key form a list, even if the members form a set.
  private func listed(_ route: Route) -> Route {
    var route = route
    route.isSet = false
    return route
  }

  private func property(_ key: String, of entity: String) throws(NotSQL) -> Property {
    let model = layout.model
    let family = model.family(of: entity)
    var attributes: [(column: AttributeColumn?, numbers: [Int])] = []
    var relationships: [(relationship: Relationship, owner: String, numbers: [Int])] = []
    var missing = 0
    for member in family {
      let number = layout.entityNumbers[member.name] ?? 0
      if let attribute = model.attribute(key, of: member.name) {
        guard attribute.isTransient || AttributeColumn.kind(of: attribute) != nil else {
          throw NotSQL("“\(entity).\(key)” is of type \(attribute.type.name), whose storage isn't known")
        }
        let column = attribute.isTransient ? nil : AttributeColumn(attribute, of: member.name, in: layout)
        if let known = attributes.firstIndex(where: { $0.column?.column == column?.column }) {
          attributes[known].numbers.append(number)
        } else {
          attributes.append((column, [number]))
        }
      } else if let relationship = model.relationship(key, of: member.name) {
        let owner = model.declaringEntity(of: key, in: member.name)?.name ?? member.name
        if let known = relationships.firstIndex(where: { $0.owner == owner }) {
          relationships[known].numbers.append(number)
        } else {
          relationships.append((relationship, owner, [number]))
        }
      } else {
        missing += 1
      }
    }
    guard missing == 0 || !family.contains(where: { !model.elements(ofComposite: key, of: $0.name).isEmpty })
    else { throw NotSQL("“\(entity).\(key)” is a composite attribute as a whole") }
    guard missing < family.count else { throw NotSQL("“\(entity)” has no key “\(key)”") }
    if attributes.isEmpty, relationships.count == 1 {
      let (relationship, owner, numbers) = relationships[0]
      let storage = RelationshipStorage(of: key, entity: owner, in: layout)
      guard storage != nil || relationship.isTransient else {
        throw NotSQL("“\(entity).\(key)” is stored in an unknown way")
      }
      return .relationship(relationship, storage, Variant(numbers: missing == 0 ? [] : numbers, content: ()))
    }
    guard relationships.isEmpty else {
      throw NotSQL("“\(key)” is not the same relationship in all entities below “\(entity)”")
    }
    let isUniform = missing == 0 && attributes.count == 1
    if attributes.allSatisfy({ $0.column == nil }) {
      return .absent(Variant(numbers: isUniform ? [] : attributes.flatMap(\.numbers), content: ()))
    }
    var variants: [Variant<AttributeColumn>] = []
    for (column, numbers) in attributes {
      guard let column, variants.first.map({ $0.content.kind == column.kind }) ?? true else {
        throw NotSQL("“\(key)” is not the same kind of attribute in all entities below “\(entity)”")
      }
      variants.append(Variant(numbers: isUniform ? [] : numbers, content: column))
    }
    return .attribute(variants)
  }

  private func read(_ variants: [Variant<AttributeColumn>], _ key: String, _ route: Route) -> String {
    if let first = variants.first, first.numbers.isEmpty { return first.content.sql(alias: route.alias) }
    let cases = variants.map { variant in
      "WHEN \(route.alias).Z_ENT IN (\(Self.list(variant.numbers))) THEN \(variant.content.sql(alias: route.alias))"
    }
    return "CASE WHEN \(route.alias).Z_PK IS NULL THEN NULL \(cases.joined(separator: " ")) "
      + "ELSE \(unknown(key, route)) END"
  }

  /// SQL that gives `text` for rows of the entities with these numbers, and NULL if there is no row.
  ///
  /// A row of another entity ends the statement, because this entity doesn't have the key.
  private func guarded(_ text: String, _ numbers: [Int], _ key: String, _ route: Route) -> String {
    "CASE WHEN \(route.alias).Z_PK IS NULL THEN NULL WHEN \(route.alias).Z_ENT IN (\(Self.list(numbers))) "
      + "THEN \(text) ELSE \(unknown(key, route)) END"
  }

  private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  private func unknown(_ key: String, _ route: Route) -> String {
    let root = layout.model.root(of: route.entity)?.name ?? route.entity
    return
      "\(ExpressionFunctions.unknownKey)(\(SQLText.string(root)), \(SQLText.string(key)), \(route.alias).Z_PK)"
  }

  // MARK: Relationships

  private mutating func follow(
    _ relationship: Relationship, _ storage: RelationshipStorage?, numbers: [Int], from route: Route
  ) throws(NotSQL) -> Operand {
    let entity = relationship.destinationEntityName
    guard let table = layout.table(of: entity) else { throw NotSQL("“\(entity)” has no table") }
    let source = "\(schema).\(quoted(table.name))"
    let alias = name("t")
    let member = layout.membership(of: entity, alias: alias).map { " AND \($0)" } ?? ""
    func own(_ text: String) -> String {
      numbers.isEmpty ? text : guarded(text, numbers, relationship.name, route)
    }
    let ownKey = own("\(route.alias).Z_PK")
    var next = route
    next.alias = alias
    next.entity = entity
    if relationship.isToMany { enter(&next, from: route, ownKey: ownKey, isOrdered: relationship.isOrdered) }
    // Left joins keep the members whose route ends in nil.
    let isLeft = route.isMany && (!relationship.isToMany || route.isNullable)
    guard let storage else {
      if relationship.isToMany {
        next.joins.append(Route.Join(table: source, alias: alias, condition: "\(ownKey) IS NULL AND 0"))
        next.order.append("\(alias).Z_PK")
        return .rows(next)
      }
      if route.isMany { return .members(listed(route), SQLValue(own("NULL"), .null)) }
      return .value(SQLValue(route.scalar(own("NULL")), .null))
    }
    switch storage.kind {
    case .owners:
      let condition = "\(alias).Z_PK = \(own("\(route.alias).\(quoted(storage.target))"))\(member)"
      next.joins.append(Route.Join(table: source, alias: alias, condition: condition, isLeft: isLeft))
      next.isNullable = true
      next.isSet = false
      return route.isMany ? .rows(next) : .row(next)
    case .targets:
      let condition = "\(alias).\(quoted(storage.owner)) = \(ownKey)\(member)"
      next.joins.append(Route.Join(table: source, alias: alias, condition: condition, isLeft: isLeft))
      next.order += (storage.order.map { ["\(alias).\(quoted($0))"] } ?? []) + ["\(alias).Z_PK"]
    case .join:
      let pair = name("j")
      next.joins.append(
        Route.Join(
          table: "\(schema).\(quoted(storage.table))", alias: pair,
          condition: "\(pair).\(quoted(storage.owner)) = \(ownKey)",
          isLeft: isLeft))
      next.joins.append(
        Route.Join(
          table: source, alias: alias, condition: "\(alias).Z_PK = \(pair).\(quoted(storage.target))\(member)",
          isLeft: isLeft))
      next.order += (storage.order.map { ["\(pair).\(quoted($0))"] } ?? []) + ["\(alias).Z_PK"]
    }
    if isLeft { next.filters.append("\(alias).Z_PK IS NOT NULL OR \(route.alias).Z_PK IS NULL") }
    next.isNullable = isLeft
    return .rows(next)
  }

  /// Starts a collection, unless the route already leads to many rows.
  ///
  /// The collection is nil if its owner is nil, and a set if it has no order.
  private func enter(_ next: inout Route, from route: Route, ownKey: String, isOrdered: Bool) {
    next.isSet = !isOrdered && !route.isMany
    guard !route.isMany else { return }
    next.isMany = true
    if !route.joins.isEmpty || route.isNullable { next.nilCondition = "\(route.scalar(ownKey)) IS NULL" }
  }
}
