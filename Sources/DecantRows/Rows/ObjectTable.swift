internal import DecantPolicies

/// The objects of a context by their rows, so that one row is one object.
///
/// The table holds all objects until `release`. After that it still knows the objects that other code holds.
package final class ObjectTable {
  private struct Held {
    weak var object: ManagedObject?
  }

  /// The objects in the order in which they came; `nil` for a removed object.
  private var objects: [(key: RowKey, object: ManagedObject?)] = []
  private var places: [RowKey: Int] = [:]
  private var held: [RowKey: Held] = [:]
  /// If `held` has more entries than this, `release` removes those of freed objects.
  private var heldLimit = ObjectTable.fewHeld
  private static let fewHeld = 64

  /// If true, the table certainly has no object. If false, it may have some.
  // The flag is read once for each row, and accesses can't overlap. A check for each access would cost time.
  @exclusivity(unchecked) private var isEmpty = true

  package var count: Int { places.count }

  /// The objects that other code holds.
  ///
  /// All other objects are released.
  func inUse() -> [ManagedObject] {
    release { _ in }
    return held.values.compactMap(\.object)
  }

  /// The objects that are in memory; an object may occur twice.
  var all: [ManagedObject] { objects.compactMap(\.object) + held.values.compactMap(\.object) }

  subscript(key: RowKey) -> ManagedObject? {
    if isEmpty { return nil }
    if let place = places[key] { return objects[place].object }
    guard !held.isEmpty, let object = held[key]?.object else { return nil }
    add(object, at: key)
    return object
  }

  func add(_ object: ManagedObject, at key: RowKey) {
    isEmpty = false
    if let before = places.updateValue(objects.count, forKey: key) { objects[before].object = nil }
    objects.append((key, object))
  }

  func remove(_ key: RowKey) {
    if let place = places.removeValue(forKey: key) { objects[place].object = nil }
    held[key] = nil
  }

  /// Releases the table's objects, and calls the body with those that other code holds.
  ///
  /// Objects that were released earlier aren't given to the body again, because a policy may hold very many.
  func release(_ body: (ManagedObject) -> Void) {
    places.removeAll(keepingCapacity: true)
    for index in objects.indices where objects[index].object != nil {
      if isKnownUniquelyReferenced(&objects[index].object) { continue }
      held[objects[index].key] = Held(object: objects[index].object)
      if let object = objects[index].object { body(object) }
    }
    objects.removeAll(keepingCapacity: true)
    if held.count > heldLimit {
      held = held.filter { $0.value.object != nil }
      heldLimit = max(Self.fewHeld, 2 * held.count)
    }
    isEmpty = objects.isEmpty && held.isEmpty
  }
}
