package import DecantMapping
internal import PredicateFormat

/// An expression of a mapping model that fails on a source object, or gives a value that its property can't take.
package struct ExpressionFault: Error, CustomStringConvertible {
  /// The mapping model's name.
  let pass: String
  let entityMapping: String
  package let place: ExpressionPlace
  /// The expression or predicate as text, shortened if long.
  package let expression: String
  /// The source object, in the form `Note/p3`.
  let object: String
  package let reason: String

  package init(
    _ place: ExpressionPlace, _ expression: any CustomStringConvertible, of mapping: PassPlan.Mapping,
    in plan: PassPlan,
    object: String, reason: String
  ) {
    pass = plan.passes.indices.contains(mapping.pass) ? plan.passes[mapping.pass].name : ""
    entityMapping = mapping.mapping.name
    self.place = place
    let text = expression.description
    self.expression = text.count > 300 ? text.prefix(300) + "…" : text
    self.object = object
    self.reason = reason
  }

  package var description: String {
    "Entity mapping “\(entityMapping)” (pass “\(pass)”), \(place): “\(expression)” fails on the source object \(object): "
      + reason + (reason.hasSuffix(".") ? "" : ".")
  }

  package var advice: String {
    switch place {
    case .filter: "Change that filter in the mapping model, so that it has a value for every object."
    case .chunk: "Change that chunk predicate in the mapping model, or leave “chunks” out."
    case .uniqueBy, .attribute, .relationship:
      "Change that expression in the mapping model, or keep such objects back with a filter."
    }
  }
}
