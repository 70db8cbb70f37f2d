import DecantModel
import DecantStore

/// Compares the objects of a migrated store with those of its source, by the two models and without the engine.
///
/// Entities and properties are matched by renaming identifier, then by name.
struct MeaningComparison {
  let source: LogicalStore
  let result: LogicalStore
  private(set) var differences: [String] = []
  /// Properties whose settings differ in the destination, so that the values can't be compared.
  private(set) var skipped: Set<String> = []
  /// The numbers of compared objects, values and targets.
  private(set) var objects = 0
  private(set) var values = 0
  private(set) var targets = 0
  /// The number of targets of relationships that were two relationships without inverse in the source.
  private(set) var unions = 0

  private(set) var destinations: [String: String] = [:]
  /// The expected targets of the relationships that were two in the source, by relationship and owner.
  private var expected: [String: [LogicalStore.Key: [LogicalStore.Key]]] = [:]

  init(source: LogicalStore, result: LogicalStore) {
    self.source = source
    self.result = result
    for entity in result.model.entities {
      let former = [entity.renamingIdentifier, entity.name].compactMap { $0 }.first {
        source.model.entity(named: $0) != nil
      }
      if let former { destinations[former] = entity.name }
    }
    findUnions()
    for (key, object) in source.objects { compare(key, object) }
    let living = source.objects.keys.filter { destinations[$0.entity] != nil }.count
    if result.objects.count != living {
      differences.append("\(result.objects.count) objects instead of \(living)")
    }
  }

  private mutating func findUnions() {
    for entity in result.model.entities {
      for relationship in entity.relationships {
        expected["\(entity.name).\(relationship.name)"] =
          UnionExpectation(
            relationship, of: entity, source: source, model: result.model, destinations: destinations)?.targets
      }
    }
  }

  /// The expected targets of a relationship that was two in the source; `nil` for other relationships.
  private func unionTargets(of relationship: Relationship, at now: LogicalStore.Key) -> [LogicalStore.Key]? {
    let declaring = result.model.declaringEntity(of: relationship.name, in: now.entity)?.name ?? now.entity
    return expected["\(declaring).\(relationship.name)"].map { $0[now] ?? [] }
  }

  private mutating func compare(_ key: LogicalStore.Key, _ former: LogicalStore.Object) {
    guard let entity = destinations[key.entity] else { return }
    objects += 1
    let now = LogicalStore.Key(entity: entity, key: key.key)
    guard let object = result.objects[now] else {
      differences.append("\(now) is missing")
      return
    }
    if object.saves != former.saves { differences.append("\(now): Z_OPT") }
    for attribute in result.model.attributes(of: entity) where !attribute.isTransient {
      compare(attribute, now, object, key, former)
    }
    for relationship in result.model.relationships(of: entity) where !relationship.isTransient {
      compare(relationship, now, object, key, former)
    }
  }

  private mutating func compare(
    _ attribute: Attribute, _ now: LogicalStore.Key, _ object: LogicalStore.Object, _ key: LogicalStore.Key,
    _ former: LogicalStore.Object
  ) {
    let candidates = [attribute.renamingIdentifier, attribute.name].compactMap { $0 }
    let model = source.model
    let known = candidates.compactMap { model.attribute($0, of: key.entity) }
    guard let before = known.first(where: { !$0.isTransient }) else { return }
    guard before.type == attribute.type,
      before.allowsExternalBinaryDataStorage == attribute.allowsExternalBinaryDataStorage
    else {
      skipped.insert("\(now.entity).\(attribute.name)")
      return
    }
    let (old, new) = (former.attributes[before.name], object.attributes[attribute.name])
    values += old == nil ? 0 : 1
    if old == nil, before.isOptional, !attribute.isOptional, new != nil { return }
    if old != new { differences.append("\(now).\(attribute.name)") }
  }

  private mutating func compare(
    _ relationship: Relationship, _ now: LogicalStore.Key, _ object: LogicalStore.Object,
    _ key: LogicalStore.Key,
    _ former: LogicalStore.Object
  ) {
    let candidates = [relationship.renamingIdentifier, relationship.name].compactMap { $0 }
    let model = source.model
    let known = candidates.compactMap { model.relationship($0, of: key.entity) }
    guard let before = known.first(where: { !$0.isTransient }) else { return }
    let union = unionTargets(of: relationship, at: now)
    let old =
      union
      ?? (before.isToMany ? former.toMany[before.name] ?? [] : [former.toOne[before.name]].compactMap { $0 })
      .compactMap { target in destinations[target.entity].map { LogicalStore.Key(entity: $0, key: target.key) }
      }
      .filter { result.model.isKind($0.entity, of: relationship.destinationEntityName) }
    let new =
      relationship.isToMany
      ? object.toMany[relationship.name] ?? [] : [object.toOne[relationship.name]].compactMap { $0 }
    targets += old.count
    unions += union == nil ? 0 : old.count
    let isOrdered = before.isOrdered && relationship.isOrdered
    if isOrdered ? old != new : old.sorted() != new.sorted() {
      differences.append("\(now).\(relationship.name): \(old) became \(new)")
    }
  }
}
