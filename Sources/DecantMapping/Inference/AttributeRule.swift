internal import DecantModel

/// The treatment of one attribute in a lightweight migration (docs/formats/inference.md 3).
struct AttributeRule {
  let entity: String
  /// Whether both entities can have rows; if one of them is abstract, nothing is refused.
  let holdsRows: Bool

  /// - Parameter former: The source attribute that the attribute continues, even if it is transient.
  func value(
    of attribute: Attribute, from former: Attribute?
  ) throws(InferenceError) -> AttributeMapping.Value {
    if attribute.isDerived {
      guard let former, former.isDerived, former.versionHash == attribute.versionHash,
        former.type == attribute.type
      else { return .derived }
      return .source(former.name)
    }
    guard let former, !former.isTransient else {
      try checkNew(attribute, wasTransient: former != nil)
      try checkDefault(attribute)
      return .defaultValue
    }
    do {
      try checkType(attribute, former)
    } catch {
      if holdsRows { throw error }
      return .defaultValue
    }
    guard former.isOptional, !attribute.isOptional else { return .source(former.name) }
    if attribute.defaultValue == nil, holdsRows {
      throw .requiredWithoutDefault(entity: entity, attribute: attribute.name, isNew: false)
    }
    try checkDefault(attribute)
    return .sourceOrDefault(former.name)
  }

  private func checkDefault(_ attribute: Attribute) throws(InferenceError) {
    guard holdsRows, case .integer(let value)? = attribute.defaultValue,
      let range = attribute.type.integerRange, !range.contains(value)
    else { return }
    throw .defaultOutOfRange(entity: entity, attribute: attribute.name, value: value, type: attribute.type)
  }

  private func checkNew(_ attribute: Attribute, wasTransient: Bool) throws(InferenceError) {
    guard holdsRows, !attribute.isOptional else { return }
    if attribute.defaultValue == nil {
      if wasTransient { throw .transientBecameRequired(entity: entity, attribute: attribute.name) }
      throw .requiredWithoutDefault(entity: entity, attribute: attribute.name, isNew: true)
    }
  }

  /// Whether a change of type can be inferred (docs/formats/inference.md 3.4).
  static func isInferable(from former: AttributeType, to type: AttributeType) -> Bool {
    type == former || (type.integerRange != nil && (former.integerRange != nil || former == .boolean))
  }

  private func checkType(_ attribute: Attribute, _ former: Attribute) throws(InferenceError) {
    if attribute.type != former.type {
      if Self.isInferable(from: former.type, to: attribute.type) { return }
      throw .typeChanged(
        entity: entity, attribute: attribute.name, formerly: former.name, from: former.type, to: attribute.type)
    }
    if attribute.type == .composite, attribute.versionHash != former.versionHash {
      throw .compositeChanged(entity: entity, attribute: attribute.name)
    }
  }
}
