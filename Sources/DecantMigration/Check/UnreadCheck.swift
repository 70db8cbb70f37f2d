internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel

/// Reports source properties that nothing in the mapping models of one pair of versions reads.
///
/// Three more kinds of properties are noted: only some entity mappings read them, only filters and `uniqueBy` read
/// them, or only code of the application can read them.
///
/// Properties that `acceptedLosses` of `family.json5` names are left out.
struct UnreadCheck {
  private let unread: UnreadProperties
  private let family: Family
  private let source: FamilyVersion
  private let destination: FamilyVersion
  /// The names of the mapping models, as text.
  private let names: String

  /// - Parameter models: All mapping models of the pair.
  init(_ models: [MappingModel], of family: Family, from source: FamilyVersion, to destination: FamilyVersion) {
    unread = UnreadProperties(models, from: source.model, to: destination.model)
    self.family = family
    self.source = source
    self.destination = destination
    names = models.map { "“\($0.name)”" }.joined(separator: ", ")
  }

  func fill(_ report: inout FamilyReport) {
    let pair = "“\(source.name)” to “\(destination.name)” (\(names))"
    let lost = open(unread.lost)
    for property in lost {
      report.add(
        .warning,
        "\(pair): nothing in the mapping models reads “\(property.entity).\(property.name)”; its \(values(property)) are "
          + "lost\(place(of: property)).")
    }
    let accepted = family.configuration.acceptedLosses
    let partly = unread.partlyRead.filter {
      !accepted.cover(entity: $0.entity, property: $0.attribute, in: source.model)
    }
    for part in partly {
      report.add(
        .note,
        "\(pair): \(list(part.others)) \(part.others.count == 1 ? "doesn't" : "don't") read “\(part.entity).\(part.attribute)”. "
          + "Objects that no other entity mapping takes lose the value; “decant plan” counts them.")
    }
    if !lost.isEmpty { report.add(.note, DropCheck.advice) }
    let selecting = open(unread.selecting).map { "“\($0.entity).\($0.name)”" }
    if !selecting.isEmpty {
      report.add(
        .note,
        "\(pair): only filters and uniqueBy read \(selecting.prefix(Self.shown).joined(separator: ", "))"
          + (selecting.count > Self.shown ? " and \(selecting.count - Self.shown) more" : "")
          + ". No object of the new version has \(selecting.count == 1 ? "its values" : "their values")."
      )
    }
    let seen = open(unread.seenByCode).map { "“\($0.entity).\($0.name)”" }
    guard !seen.isEmpty else { return }
    report.add(
      .note,
      "\(pair): no expression reads \(seen.prefix(Self.shown).joined(separator: ", "))"
        + (seen.count > Self.shown ? " and \(seen.count - Self.shown) more" : "")
        + ". Code of the application can read \(seen.count == 1 ? "it" : "them"). Decant can't know whether it does."
    )
  }

  private static let shown = 20

  private func open(_ properties: [UnreadProperties.Property]) -> [UnreadProperties.Property] {
    let accepted = family.configuration.acceptedLosses
    return properties.filter { property in
      !accepted.cover(entity: property.entity, property: property.name, in: source.model)
    }
  }

  private func list(_ names: [String]) -> String {
    listed(Array(names.prefix(6)))
      + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  private func values(_ property: UnreadProperties.Property) -> String {
    property.kind == .attribute ? "values" : "targets"
  }

  /// The entities whose objects lose a property, as the end of a sentence; empty if only objects of the declaring
  /// entity lose the property.
  private func place(of property: UnreadProperties.Property) -> String {
    guard property.entities != [property.entity] else { return "" }
    return " in objects of \(list(property.entities))"
  }
}
