/// The reference from the parts of a model to the model.
///
/// All parts share it: an object with weak references to it is slower to retain, and every managed object retains its
/// entity.
package final class ModelReference {
  weak var model: ModelDescription?

  func entity(_ name: String?) -> EntityDescription? { name.flatMap { model?.entitiesByName[$0] } }
}
