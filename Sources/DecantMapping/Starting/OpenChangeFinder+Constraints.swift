internal import DecantModel
internal import PredicateFormat

extension OpenChangeFinder {
  /// Adds an open change for each uniqueness constraint that the source version doesn't have.
  ///
  /// Duplicates end the migration, so a new uniqueness constraint needs a decision.
  mutating func addConstraints() {
    for (index, mapping) in model.entityMappings.enumerated() {
      // A new entity has no objects that could be equal.
      guard let name = mapping.destinationEntityName, let entity = destination.entity(named: name),
        let former = mapping.sourceEntityName
      else { continue }
      let known = source.entity(named: former)?.uniquenessConstraints.map(Set.init) ?? []
      for constraint in entity.uniquenessConstraints {
        let values = constraint.map { value(of: $0, mapping) }
        guard !known.contains(Set(values.compactMap { $0?.sourceKeys?.first })) else { continue }
        let names = constraint.map { "“\($0)”" }.joined(separator: " + ")
        var choices: [OpenChange.Choice] = []
        if values.count == 1, let value = values[0], trial.accepts(uniqueBy: value, index) {
          choices.append(
            .init(
              "uniqueBy: \(JSON5Text.quoted("\(value)")),",
              "one object for each value; objects with nil get none (filters)"))
        }
        note(
          index, \.keys,
          "\(names) must be unique in “\(name)” from now on, so that duplicates end the migration. Correct them "
            + "with the old version of the app, or decide here.", choices)
      }
    }
  }

  private func value(of attribute: String, _ mapping: EntityMapping) -> FormatExpression? {
    guard let row = mapping.attributeMappings.first(where: { $0.destinationName == attribute }),
      case .expression(let expression) = row.value
    else { return nil }
    return expression
  }
}
