/// The way from the parts of a model to the model.
///
/// One object for all parts: an object that weak references lead to is slower to hold, and entities are held by every
/// managed object.
final class ModelReference {
  weak var model: ModelDescription?

  func entity(_ name: String?) -> EntityDescription? { name.flatMap { model?.entitiesByName[$0] } }
}
