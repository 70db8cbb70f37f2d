/// The reference from the parts of a model to the model.
///
/// All entities of the model share this object.
package final class ModelReference {
  weak var model: ModelDescription?
}
