internal import DecantModel
internal import DecantPolicies
internal import DecantTransformers
internal import Foundation
internal import PredicateFormat

/// The transformable attributes of a model, and values as policies see them.
final class TransformedAttributes {
  private let model: ManagedObjectModel
  private let scope: ArchiveScope
  private var known: [String: [String: TransformedAttribute]] = [:]

  init(_ model: ManagedObjectModel, _ scope: ArchiveScope) {
    self.model = model
    self.scope = scope
  }

  private func attribute(_ name: String, of entity: String) -> TransformedAttribute? {
    if let known = known[entity] { return known[name] }
    var all: [String: TransformedAttribute] = [:]
    for attribute in model.attributes(of: entity) {
      all[attribute.name] = TransformedAttribute(attribute, of: entity, scope)
    }
    known[entity] = all
    return all[name]
  }

  /// The value of an attribute for a policy.
  ///
  /// - Throws: `TransformProblem`.
  func any(of value: Value, _ name: String, of entity: String) throws -> Any? {
    switch value {
    case .data(let bytes):
      guard let attribute = attribute(name, of: entity) else { return bytes }
      return try attribute.value(of: bytes)
    case .dictionary(let elements):
      var values: [String: Any] = [:]
      for (element, value) in elements {
        values[element] = try any(of: value, "\(name).\(element)", of: entity)
      }
      return values
    default: return ValueBridge.any(of: value)
    }
  }
}

extension TransformedAttribute {
  init?(_ attribute: Attribute, of entity: String, _ scope: ArchiveScope) {
    guard attribute.type == .transformable else { return nil }
    self.init("\(entity).\(attribute.name)", transformer: attribute.valueTransformerName, scope: scope)
  }
}
