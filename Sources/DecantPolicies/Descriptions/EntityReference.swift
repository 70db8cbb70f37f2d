/// The reference from the properties and relatives of an entity to the entity.
///
/// `unowned(unsafe)` instead of `weak`: an object with weak references is slower to retain, and every managed object
/// retains its entity. The entity clears this reference when the entity is released. A model and its parts are used by
/// one thread at a time.
final class EntityReference {
  unowned(unsafe) var entity: EntityDescription?
}
