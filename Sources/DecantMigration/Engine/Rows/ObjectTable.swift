/// The objects of a context by their rows, so that one row is one object.
///
/// All of them are held until `release()`; after that those are still known that somebody else holds.
final class ObjectTable {
  private struct Held {
    weak var object: ManagedObject?
  }

  private var objects: [RowKey: ManagedObject] = [:]
  private var held: [RowKey: Held] = [:]

  var count: Int { objects.count }

  subscript(key: RowKey) -> ManagedObject? {
    if let object = objects[key] { return object }
    guard let object = held[key]?.object else { return nil }
    objects[key] = object
    return object
  }

  func add(_ object: ManagedObject, at key: RowKey) { objects[key] = object }

  func remove(_ key: RowKey) {
    objects[key] = nil
    held[key] = nil
  }

  /// Lets go of the objects; calls the body with those that others hold.
  func release(_ body: (ManagedObject) -> Void) {
    var candidates = held.filter { $0.value.object != nil }
    for (key, object) in objects { candidates[key] = Held(object: object) }
    objects.removeAll(keepingCapacity: true)
    held = candidates.filter { $0.value.object != nil }
    for item in held.values {
      if let object = item.object { body(object) }
    }
  }
}
