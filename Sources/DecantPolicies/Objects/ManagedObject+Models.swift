internal import Foundation

extension ManagedObject {
  /// The entity of the class.
  ///
  /// It is looked for in the model of the current context first, then in the models of coordinators and migrations, the
  /// latest first; of a migration, in the destination model first. Without one, it is an entity of no model, with which no
  /// object can be made.
  public class func entity() -> EntityDescription {
    LiveModels.entity(ofClass: "\(Self.self)") ?? EntityDescription.ofNoModel("\(Self.self)")
  }
}
