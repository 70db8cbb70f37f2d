internal import DecantMapping

extension PassPlan {
  /// A mapping in the form of an association file.
  package func kept(_ mapping: Mapping, way: KeptMapping.Way) -> KeptMapping {
    let policy: String? =
      switch mapping.mapping.policy {
      case .className(let name)?: name
      case .program(let words)?: words.joined(separator: " ")
      case nil: nil
      }
    return KeptMapping(
      number: mapping.number, pass: mapping.pass + 1,
      passName: passes.indices.contains(mapping.pass) ? passes[mapping.pass].name : "",
      name: mapping.mapping.name, source: mapping.source, destination: mapping.destination, way: way,
      policy: policy)
  }
}
