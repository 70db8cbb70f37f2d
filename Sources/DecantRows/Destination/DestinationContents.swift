internal import DecantModel
internal import DecantPolicies
internal import DecantSQLite
internal import Foundation
internal import PredicateFormat

/// A destination row as the contents of a managed object; values that were set wait for the next flush.
package final class DestinationContents: ObjectContents {
  let shape: EntityShape
  @exclusivity(unchecked) private(set) var key: Int64
  let rows: DestinationRows
  /// The values that were set, by column; `reuse` keeps the memory for the next object.
  // Setting a value calls no other code, so accesses can't overlap. A check for each value would cost time.
  @exclusivity(unchecked) private var slots: ContiguousArray<SQLiteValue?> = []
  @exclusivity(unchecked) private var hasSlots = false
  /// The values of the written row; `nil` until they are read.
  private var base: [SQLiteValue]?
  @exclusivity(unchecked) private(set) var isInserted: Bool
  /// Whether the row was made in this batch, so that every reference to it was set through its object.
  @exclusivity(unchecked) private(set) var isFresh: Bool
  @exclusivity(unchecked) private(set) var isDeleted = false
  /// The to-many relationships of a fresh row to which objects were added.
  private var touched: Set<String> = []

  init(_ shape: EntityShape, key: Int64, isNew: Bool, rows: DestinationRows) {
    self.shape = shape
    self.key = key
    self.rows = rows
    isInserted = isNew
    isFresh = isNew
  }

  /// Makes these the contents of another object; the former object is no longer referenced.
  func reuse(key: Int64, isNew: Bool) {
    self.key = key
    isInserted = isNew
    isFresh = isNew
    isDeleted = false
    clear()
    base = nil
    if !touched.isEmpty { touched = [] }
  }

  /// Adds the set values to the rows that wait for the writer; a new row keeps no values here.
  func put(into waiting: WaitingRows) {
    if isInserted {
      if hasSlots {
        waiting.insert(shape, key: key, &slots)
        hasSlots = false
      } else {
        var nothing: ContiguousArray<SQLiteValue?> = []
        waiting.insert(shape, key: key, &nothing)
      }
    } else if hasSlots {
      waiting.update(shape, key: key, slots)
    }
  }

  var context: ManagedObjectContext? { rows.home }
  var store: String { rows.store }
  var hasChanges: Bool { isInserted || hasSlots }
  package var place: RowKey { RowKey(root: shape.root, key: key) }

  func link(_ name: String) throws -> EntityShape.Link {
    try rows.checkRunning()
    try rows.settling?()
    if case .link(let link)? = shape.places[name], link.relationship.isToMany { return link }
    guard shape.places[name] != nil else { throw rows.unknown(name, of: shape.entity) }
    throw PolicyProblem.notACollection(entity: shape.entity, property: name, found: "a collection")
  }

  // MARK: Columns

  func column(_ index: Int) throws -> SQLiteValue {
    if hasSlots, let value = slots[index] { return value }
    if isInserted { return shape.defaults[index] }
    if shape.large.contains(index) { return try rows.column(index, of: self) }
    if base == nil {
      base = try rows.columns(of: self)
      rows.note(read: self)
    }
    return base?[index] ?? .null
  }

  func column(_ name: String) throws -> SQLiteValue {
    try shape.indexes[name].map { try column($0) } ?? .null
  }

  func set(_ value: SQLiteValue, column index: Int) {
    if !hasSlots {
      if !isInserted { rows.note(changed: self) }
      if slots.isEmpty { slots = ContiguousArray(repeating: nil, count: shape.defaults.count) }
      hasSlots = true
    }
    if case .blob(let data) = value { rows.note(bytes: data.count) }
    slots[index] = value
  }

  func set(_ value: SQLiteValue, column name: String?) {
    if let name, let index = shape.indexes[name] { set(value, column: index) }
  }

  func wrote() {
    isInserted = false
    // The memory is released: the object is still referenced, but its values are rarely set again.
    slots = []
    hasSlots = false
    base = nil
  }

  private func clear() {
    guard hasSlots else { return }
    hasSlots = false
    for index in slots.indices { slots[index] = nil }
  }

  func deleted() {
    isDeleted = true
    isInserted = false
    clear()
  }

  /// Discards values that other code may change from now on.
  func settle() {
    isFresh = false
    base = nil
    touched = []
  }

  func touch(_ name: String) { if isFresh { touched.insert(name) } }

  /// Whether a to-many relationship can have members.
  func mayHaveMembers(_ name: String) -> Bool { !isFresh || touched.contains(name) }

  // MARK: Keys

  func value(forKey key: String) throws -> Any? {
    try rows.checkRunning()
    guard !isDeleted else { throw PolicyProblem.deletedObject("\(shape.entity)/p\(self.key)") }
    switch shape.place(of: key) {
    case nil: throw rows.unknown(key, of: shape.entity)
    case .transient, .derived: return nil
    case .unknown: throw PolicyProblem.notStored(entity: shape.entity, property: key)
    case .attribute(let stored): return try stored.value(column(stored.index))
    case .composite(let elements):
      var values: [String: Any] = [:]
      for (name, stored) in elements { values[name] = try stored.value(column(stored.index)) }
      return values.isEmpty ? nil : values
    case .link(let link):
      try rows.settling?()
      guard link.relationship.isToMany else { return try rows.target(link, of: self) }
      let members = try rows.members(link, of: self)
      return link.relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    }
  }

  func untransformedValue(forKey key: String) throws -> Any? {
    guard case .attribute(let stored)? = shape.place(of: key), stored.transformed != nil, !isDeleted else {
      return try value(forKey: key)
    }
    try rows.checkRunning()
    return ValueBridge.any(of: try stored.column.value(column(stored.index)))
  }

  func setValue(_ value: Any?, forKey key: String) throws {
    try rows.checkRunning()
    guard !isDeleted else { throw PolicyProblem.deletedObject("\(shape.entity)/p\(self.key)") }
    switch shape.place(of: key) {
    case nil: throw rows.unknown(key, of: shape.entity)
    case .transient: return
    case .derived: throw PolicyProblem.derived(entity: shape.entity, property: key)
    case .unknown: throw PolicyProblem.notStored(entity: shape.entity, property: key)
    case .attribute(let stored): set(try stored.column(value, of: shape.entity, key), column: stored.index)
    case .composite(let elements): try setElements(elements, of: key, to: value)
    case .link(let link):
      try rows.settling?()
      if link.relationship.isToMany {
        try rows.setMembers(try Self.objects(value, shape.entity, key), link, of: self)
      } else {
        try rows.setTarget(try Self.object(value, shape.entity, key), link, of: self)
      }
    }
  }

  /// Sets a composite attribute to a dictionary; missing elements become nil, and unknown keys are refused.
  private func setElements(
    _ elements: [(name: String, stored: EntityShape.Stored)], of key: String, to value: Any?
  ) throws {
    var values: [String: Any] = [:]
    switch ValueBridge.flattened(value) {
    case nil, is NSNull: break
    case let entries as [String: Any]:
      for (name, entry) in entries {
        let path = "\(key).\(name)"
        guard elements.contains(where: { $0.name == name }) else { throw rows.unknown(path, of: shape.entity) }
        values[name] = entry
      }
    case let other?:
      throw PolicyProblem.notAValue(entity: shape.entity, property: key, found: "\(type(of: other))")
    }
    let stored = try elements.map {
      ($0.stored.index, try $0.stored.column(values[$0.name], of: shape.entity, "\(key).\($0.name)"))
    }
    for (index, value) in stored { set(value, column: index) }
  }

  private static func object(_ value: Any?, _ entity: String, _ key: String) throws -> ManagedObject? {
    switch value {
    case nil, is NSNull: return nil
    case let object as ManagedObject: return object
    case let other?: throw PolicyProblem.notAnObject(entity: entity, property: key, found: "\(type(of: other))")
    }
  }

  /// The objects in an array or a set that a policy gives; empty for nil.
  ///
  /// The objects of an unordered set are sorted by key, so that each run gives the same result.
  private static func objects(_ value: Any?, _ entity: String, _ key: String) throws -> [ManagedObject] {
    let (members, isOrdered): ([Any], Bool) =
      switch value {
      case nil, is NSNull: ([], true)
      case let set as NSOrderedSet: (set.array, true)
      case let array as [Any]: (array, true)
      case let array as NSArray: (array.map { $0 }, true)
      case let set as Set<ManagedObject>: (Array(set), false)
      case let set as NSSet: (set.allObjects, false)
      case let set as Set<AnyHashable>: (set.map(\.base), false)
      case let other?:
        throw PolicyProblem.notACollection(entity: entity, property: key, found: "\(type(of: other))")
      }
    var objects: [ManagedObject] = []
    for member in members {
      guard let object = member as? ManagedObject else {
        throw PolicyProblem.notAnObject(entity: entity, property: key, found: "\(type(of: member))")
      }
      objects.append(object)
    }
    return isOrdered ? objects : objects.sorted { $0.objectID.key < $1.objectID.key }
  }

  func members(forKey key: String) throws -> [ManagedObject] { try rows.members(try link(key), of: self) }

  func setMembers(_ members: [ManagedObject], forKey key: String) throws {
    try rows.setMembers(members, try link(key), of: self)
  }

  func insertMember(_ member: ManagedObject, forKey key: String) throws {
    try rows.add(try rows.contents(of: member, for: key, shape.entity), try link(key), to: self)
  }

  func removeMember(_ member: ManagedObject, forKey key: String) throws {
    try rows.remove(try rows.contents(of: member, for: key, shape.entity), try link(key), from: self)
  }

  /// Sets the relationships that wait, so that `isChanged` is up to date.
  func settleLinks() {
    do {
      try rows.settling?()
    } catch {
      rows.home?.note(error)
    }
  }

  func isChanged(_ key: String) -> Bool {
    switch shape.places[key] {
    case .attribute(let stored): isSet(stored.index)
    case .composite(let elements): elements.contains { isSet($0.stored.index) }
    case .link(let link) where !link.relationship.isToMany: shape.indexes[link.column].map(isSet) ?? false
    default: touched.contains(key)
    }
  }

  private func isSet(_ column: Int) -> Bool { hasSlots && slots[column] != nil }
}
