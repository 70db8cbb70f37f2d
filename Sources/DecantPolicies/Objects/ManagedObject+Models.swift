internal import Foundation

extension ManagedObject {
  /// The entity of the class.
  ///
  /// The model of the current context is searched first. Then come the models of coordinators and migrations, the
  /// latest first, and a migration's destination model before its source model. If no model has the entity, the result
  /// belongs to no model, and no object can be made with it.
  public class func entity() -> EntityDescription {
    LiveModels.entity(ofClass: "\(Self.self)") ?? EntityDescription.ofNoModel("\(Self.self)")
  }
}
