internal import DecantModel
internal import DecantPolicies
internal import Foundation

/// Finds the names of the properties in a Swift key path.
///
/// On Linux, a key path doesn't give the names of its properties. So the key path is read on an object without a row.
/// Each accessor asks this object for a value by name, and the object records the name.
final class KeyRecorder {
  private let context: ManagedObjectContext
  private var reads: [(path: [String], value: Any?)] = []

  private init(_ context: ManagedObjectContext) { self.context = context }

  /// The names of the properties, with dots between them.
  ///
  /// - Throws: `CoreDataError` if the value at the key path isn't that of a stored attribute or to-one relationship, or
  ///   if the entity's objects aren't of the class `Root`.
  static func path<Root: ManagedObject, Value>(
    of keyPath: KeyPath<Root, Value>, entity: EntityDescription, in context: ManagedObjectContext
  ) throws -> String {
    let recorder = KeyRecorder(context)
    guard let root = recorder.object(of: entity, at: []) as? Root else {
      throw CoreDataError(
        NSCoreDataError,
        "a fetch of “\(entity.name ?? "")” is sorted by a key path of \(Root.self), but its objects are of class "
          + "\(context.objectClass(of: entity)); give the key as text")
    }
    let value = ValueBridge.flattened(root[keyPath: keyPath])
    guard let last = recorder.reads.last, recorder.isChain, isSame(value, last.value) else {
      throw CoreDataError(
        NSCoreDataError,
        "a fetch of “\(entity.name ?? "")” can't be sorted by this key path of \(Root.self), because it isn't a stored "
          + "property; sort the fetched objects in memory, or give the key of a stored property as text")
    }
    return last.path.joined(separator: ".")
  }

  /// Whether each read starts at the object that the previous read returned.
  ///
  /// It is false if a computed property has read several values of one object.
  private var isChain: Bool {
    reads.enumerated().allSatisfy { index, read in
      read.path.count == index + 1 && (index == 0 || Array(read.path.dropLast()) == reads[index - 1].path)
    }
  }

  private func object(of entity: EntityDescription, at path: [String]) -> ManagedObject {
    let object = context.objectClass(of: entity).init(entity: entity, insertInto: nil)
    object.contents = Contents(self, entity, path)
    return object
  }

  private func read(_ key: String, of entity: EntityDescription, at path: [String]) -> Any? {
    let value: Any? =
      if let attribute = entity.attributesByName[key] {
        Self.sample(attribute.attributeType)
      } else if let target = entity.relationshipsByName[key], !target.isToMany {
        target.destinationEntity.map { object(of: $0, at: path + [key]) }
      } else {
        nil
      }
    reads.append((path + [key], value))
    return value
  }

  /// A sample value of an attribute.
  ///
  /// Accessors of non-optional types need a value. The sample also shows whether a computed property changed the value.
  private static func sample(_ type: AttributeType) -> Any? {
    switch type {
    case .integer16, .integer32, .integer64: NSNumber(value: 87)
    case .double, .float: NSNumber(value: 87.5)
    case .decimal: NSDecimalNumber(string: "87.5")
    case .boolean: NSNumber(value: true)
    case .string: " Ñandú 87 "
    case .date: Date(timeIntervalSinceReferenceDate: 87.5)
    case .binary: Data([87])
    case .uuid: UUID()
    case .uri: URL(fileURLWithPath: "/87")
    default: nil
    }
  }

  private static func isSame(_ value: Any?, _ read: Any?) -> Bool {
    switch (value, read) {
    case (let value as ManagedObject, let read as ManagedObject): value === read
    case (let value as NSNumber, let read as NSNumber): value == read
    case (let value as AnyHashable, let read as AnyHashable): value == read
    default: false
    }
  }

  private final class Contents: ObjectContents {
    private let recorder: KeyRecorder
    private let entity: EntityDescription
    private let path: [String]

    init(_ recorder: KeyRecorder, _ entity: EntityDescription, _ path: [String]) {
      (self.recorder, self.entity, self.path) = (recorder, entity, path)
    }

    var context: ManagedObjectContext? { nil }
    var key: Int64 { 0 }
    var store: String { "" }
    var isInserted: Bool { false }
    var isDeleted: Bool { false }
    var hasChanges: Bool { false }

    func value(forKey key: String) -> Any? { recorder.read(key, of: entity, at: path) }
    func members(forKey key: String) -> [ManagedObject] {
      _ = value(forKey: key)
      return []
    }
    // Setters have no effect, because the object has no row.
    func setValue(_ value: Any?, forKey key: String) {}
    func setMembers(_ members: [ManagedObject], forKey key: String) {}
    func insertMember(_ member: ManagedObject, forKey key: String) {}
    func removeMember(_ member: ManagedObject, forKey key: String) {}
    func isChanged(_ key: String) -> Bool { false }
  }
}
