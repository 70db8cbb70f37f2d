internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel

/// Finds `renames` of `family.json5` that the mapping models of a pair of versions don't follow.
///
/// Renames apply to inferred steps and to `others: "infer"`. In other cases the entity mappings decide, with their
/// attribute and relationship mappings (rows).
struct RenameCheck {
  private let family: Family
  private let models: [MappingModel]
  private let source: FamilyVersion
  private let destination: FamilyVersion

  /// - Parameter models: All mapping models of the pair.
  init(_ models: [MappingModel], of family: Family, from source: FamilyVersion, to destination: FamilyVersion) {
    self.models = models
    self.family = family
    self.source = source
    self.destination = destination
  }

  func fill(_ report: inout FamilyReport) {
    guard !models.contains(where: { $0.others == .infer }) else { return }
    let ignored = ignored
    guard !ignored.isEmpty else { return }
    let path = family.folder.appendingPathComponent("family.json5").path
    let names = models.map { "“\($0.name)”" }.joined(separator: ", ")
    let shown = ignored.prefix(Self.shown).joined(separator: ", ")
    let rest = ignored.count > Self.shown ? " and \(ignored.count - Self.shown) more" : ""
    report.add(
      .note,
      "“renames” has \(shown)\(rest). Renames apply only to inferred steps and to others: \"infer\". "
        + "From “\(source.name)” to “\(destination.name)” the "
        + "mapping \(models.count == 1 ? "model" : "models") \(names) \(models.count == 1 ? "applies" : "apply") instead, without a row "
        + "that does the same.", file: path,
      line: FamilyError.configuration(path: path, problem: "", key: "renames").line)
  }

  private static let shown = 10

  private var mappings: [EntityMapping] { models.flatMap(\.entityMappings) }

  /// The renames that could apply between the two versions, but that no entity mapping or row follows, as text.
  private var ignored: [String] {
    let renames = family.configuration.renames(to: destination.allNames)
    let entities = renames.entities.filter { old, new in
      source.model.entity(named: old) != nil && destination.model.entity(named: new) != nil
        && !mappings.contains { $0.sourceEntityName == old && $0.destinationEntityName == new }
    }
    let properties = renames.properties.filter { old, new in
      let pairs = mappings.filter { $0.sourceEntityName != nil && $0.destinationEntityName != nil }.filter {
        concerns($0, old.entity)
      }
      return pairs.contains { takes($0, old.name, new) } && !pairs.contains { follows($0, old.name, new) }
    }
    return
      (entities.map { "“\($0.key)” to “\($0.value)”" }
      + properties.map { "“\($0.key.entity).\($0.key.name)” to “\($0.value)”" })
      .sorted(by: NameOrder.codePoints)
  }

  private func concerns(_ mapping: EntityMapping, _ entity: String) -> Bool {
    guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else { return false }
    return source.model.chain(of: from).contains { $0.name == entity }
      || destination.model.chain(of: to).contains { $0.name == entity }
  }

  private func takes(_ mapping: EntityMapping, _ old: String, _ new: String) -> Bool {
    guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else { return false }
    return source.model.has(old, of: from) && destination.model.has(new, of: to)
  }

  private func follows(_ mapping: EntityMapping, _ old: String, _ new: String) -> Bool {
    func isMeant(_ name: String, _ wanted: String) -> Bool { name == wanted || name.hasPrefix(wanted + ".") }
    // A policy may fill the property.
    if mapping.calledPolicy != nil { return true }
    return mapping.attributeMappings.contains { row in
      guard isMeant(row.destinationName, new) else { return false }
      return switch row.value {
      case .source(let name), .sourceOrDefault(let name): isMeant(name, old)
      case .expression: true
      case .defaultValue, .derived, .unset: false
      }
    }
      || mapping.relationshipMappings.contains { row in
        guard row.destinationName == new else { return false }
        return switch row.value {
        case .source(let name): name == old
        case .expression: true
        case .unset: false
        }
      }
  }
}

extension ManagedObjectModel {
  fileprivate func has(_ name: String, of entity: String) -> Bool {
    propertyNames(of: entity).contains(name)
      || attributes(of: entity).contains { $0.name == name || $0.element?.composite.name == name }
  }
}
