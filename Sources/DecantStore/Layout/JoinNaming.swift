internal import DecantModel

/// One end of a many-to-many relationship.
struct ManyToManyEnd: Hashable {
  /// The entity that declares the relationship.
  let entity: Entity
  let relationship: Relationship

  var property: StoreLayout.Property { .init(entity: entity.name, name: relationship.name) }
}

/// The end that names each join table, and the digit in the column name of each end (docs/formats/core-data-sqlite.md
/// 4.1, 4.3, 4.4).
///
/// Names are assigned entity by entity, in the order of the entities' names. A subentity is treated like any other
/// entity. Within an entity, the properties, including inherited ones, are in the order of a hash table.
struct JoinNaming {
  /// Both ends of a many-to-many relationship; `naming` is the end that names the table.
  struct Pair: Hashable {
    let naming: ManyToManyEnd
    let inverse: ManyToManyEnd

    /// Both ends, or a single end for a relationship that is its own inverse.
    var ends: [ManyToManyEnd] { naming.property == inverse.property ? [naming] : [naming, inverse] }
  }

  /// Possible answers to the open points of docs/formats/core-data-sqlite.md 4.4 about the hash order.
  enum Reading {
    /// Fetched properties are included. If there are too many names for the known table sizes, the names are in sorted
    /// order.
    case likely
    /// Fetched properties are not included. If there are too many names for the known table sizes, the names are in
    /// reverse order.
    case other
  }

  /// The relationships with their inverses, in the order in which they were first visited; each relationship occurs
  /// once.
  let pairs: [Pair]
  /// The ends that share a column label, in the order of their digits.
  let groups: [ColumnLabel: [ManyToManyEnd]]
  /// Entities whose hash order is an open point of docs/formats/core-data-sqlite.md 4.4, each with the reason.
  let openEntities: [(name: String, reason: String)]

  init(model: ManagedObjectModel, reading: Reading) {
    var pairs: [Pair] = []
    var groups: [ColumnLabel: [ManyToManyEnd]] = [:]
    var open: [(String, String)] = []
    var seen: Set<StoreLayout.Property> = []
    for entity in model.entities {
      let order = Self.order(of: entity, in: model, reading: reading)
      if let reason = order.openReason { open.append((entity.name, reason)) }
      for name in order.names {
        guard let pair = Self.pair(name, met: entity, in: model), !seen.contains(pair.naming.property) else {
          continue
        }
        pairs.append(pair)
        for end in pair.ends where seen.insert(end.property).inserted {
          groups[ColumnLabel(end), default: []].append(end)
        }
      }
    }
    self.pairs = pairs
    self.groups = groups
    openEntities = open
  }

  /// The digit in a column's name; 0 means none.
  func digit(of end: ManyToManyEnd) -> Int {
    groups[ColumnLabel(end)]?.firstIndex { $0.property == end.property } ?? 0
  }

  /// Both ends of an entity's relationship, own or inherited.
  private static func pair(_ name: String, met entity: Entity, in model: ManagedObjectModel) -> Pair? {
    guard let relationship = model.relationship(name, of: entity.name), relationship.isToMany,
      !relationship.isTransient, let declaring = model.declaringEntity(of: name, in: entity.name),
      let inverse = model.inverse(of: relationship), inverse.relationship.isToMany
    else { return nil }
    return Pair(
      naming: ManyToManyEnd(entity: declaring, relationship: relationship),
      inverse: ManyToManyEnd(entity: inverse.entity, relationship: inverse.relationship))
  }

  private static func order(
    of entity: Entity, in model: ManagedObjectModel, reading: Reading
  ) -> (names: [String], openReason: String?) {
    let own = model.propertyNames(of: entity.name)
    let fetched = Set(model.chain(of: entity.name).flatMap(\.fetchedProperties).map(\.name))
    let names = reading == .likely ? own + fetched.subtracting(own) : own
    if let order = PropertyHashOrder.names(names) {
      return (order, fetched.isEmpty ? nil : "its fetched properties may or may not count")
    }
    let sorted = names.sorted(by: NameOrder.codePoints)
    return (
      reading == .likely ? sorted : sorted.reversed(),
      "\(names.count) properties are too many for the known rule"
    )
  }
}

/// The name of a join table's column without its digit.
///
/// Ends that have equal names and lead to the same entity share one label.
struct ColumnLabel: Hashable {
  let destination: String
  let name: String

  init(_ end: ManyToManyEnd) {
    destination = end.relationship.destinationEntityName
    name = end.relationship.name.uppercased()
  }
}
