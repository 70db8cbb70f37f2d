public import Foundation

/// One object of a source or destination store, with key-value access (Core Data's NSManagedObject).
///
/// Source objects can't be changed. A wrong use of a key (an unknown name, a value of another type) gives nil, and ends
/// the migration when the policy's method returns. Hooks of subclasses never run in a migration; `awakeFromFetch` runs
/// for objects of opened stores.
open class ManagedObject: NSObject {
  public let entity: EntityDescription
  package var contents: any ObjectContents { didSet { heldID = nil } }
  /// The object's ID, made on first use.
  private var heldID: ManagedObjectID?

  /// Makes an object and, with a context, its row in the store.
  ///
  /// - Parameters:
  ///   - entity: An entity of the destination model.
  ///   - context: The manager's destination context. Without one, the object has to be inserted later.
  public required init(entity: EntityDescription, insertInto context: ManagedObjectContext?) {
    self.entity = entity
    if let seed = context?.takeSeed() {
      contents = seed
      super.init()
      return
    }
    if let context, let made = context.contents(ofNew: entity) {
      contents = made
      super.init()
      context.adopt(self)
      return
    }
    contents = DetachedContents(entity)
    super.init()
  }

  public var objectID: ManagedObjectID {
    if let heldID { return heldID }
    let made = ManagedObjectID(entity: entity, key: contents.key, store: contents.store)
    heldID = made
    return made
  }

  public var managedObjectContext: ManagedObjectContext? { contents.context }

  // MARK: Values

  /// The value of an attribute, the target of a to-one relationship, or the set of a to-many one.
  open func value(forKey key: String) -> Any? {
    keepingFirstError(nil) { try contents.value(forKey: key) }
  }

  open func setValue(_ value: Any?, forKey key: String) {
    keepingFirstError(()) { try contents.setValue(value, forKey: key) }
  }

  open func primitiveValue(forKey key: String) -> Any? { value(forKey: key) }
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

  // Objects of a migration have no observers.
  open func willAccessValue(forKey key: String?) {}
  open func didAccessValue(forKey key: String?) {}
  open func willChangeValue(forKey key: String) {}
  open func didChangeValue(forKey key: String) {}

  // MARK: Hooks

  /// Called when an object of an opened store has been made; the base class does nothing.
  open func awakeFromFetch() {}

  // These hooks are never called: a migration writes objects without them, and a context of an opened store saves none.
  open func awakeFromInsert() {}
  open func willSave() {}
  open func didSave() {}
  open func prepareForDeletion() {}
  open func willTurnIntoFault() {}
  open func didTurnIntoFault() {}
  open func validateForInsert() throws {}
  open func validateForUpdate() throws {}
  open func validateForDelete() throws {}

  // MARK: State

  public var isInserted: Bool { contents.isInserted }
  public var isUpdated: Bool { hasChanges && !contents.isInserted }
  public var isDeleted: Bool { contents.isDeleted }
  public var hasChanges: Bool {
    contents.settleLinks()
    return contents.hasChanges
  }
  /// Whether no value of the object has been read yet.
  public var isFault: Bool { contents.isFault }

  open override var description: String { "<\(type(of: self)) \(objectID)>" }

  open override var hash: Int { ObjectIdentifier(self).hashValue }
  open override func isEqual(_ object: Any?) -> Bool { object as AnyObject === self }

  // MARK: Within the engine

  /// Whether the object can serve another row after its last reference is gone.
  ///
  /// The object must not be of a subclass, which may have its own state. No weak or unowned reference may lead to the
  /// object.
  package var isReusable: Bool {
    type(of: self) == ManagedObject.self && _getWeakRetainCount(self) <= 1 && _getUnownedRetainCount(self) <= 1
  }

  /// Forgets the object's ID, because the contents now belong to another row.
  package func reuse() {
    if heldID != nil { heldID = nil }
  }

  /// Runs work; if it throws, notes the error in the context and returns `fallback`.
  ///
  /// The context keeps only the first error.
  package func keepingFirstError<Result>(_ fallback: Result, _ work: () throws -> Result) -> Result {
    do {
      return try work()
    } catch {
      managedObjectContext?.note(error)
      return fallback
    }
  }
}
