internal import DecantMapping
public import DecantModel

/// The losses that a family accepts (`acceptedLosses` in `family.json5`).
///
/// Accepted losses are reported like all other losses, but `dataLoss: "refuse"` and `--strict` allow them.
public struct AcceptedLosses: Sendable, Hashable {
  /// An entity, or a property of one, by its names in the version before the loss.
  public struct Name: Sendable, Hashable, CustomStringConvertible {
    public var entity: String
    /// `nil` for the entity's objects themselves.
    public var property: String?

    public init(entity: String, property: String? = nil) {
      self.entity = entity
      self.property = property
    }

    /// Reads `Entity` or `Entity.property`; `nil` if a part is missing.
    init?(_ text: String) {
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
      entity = parts[0]
      property = parts.count > 1 ? parts[1] : nil
    }

    public var description: String { property.map { "\(entity).\($0)" } ?? entity }
  }

  public var names: [Name] = []

  public init(_ names: [Name] = []) { self.names = names }

  /// Whether the loss of an entity's objects, or of a property, is accepted.
  ///
  /// - Parameters:
  ///   - property: `nil` for the objects themselves. Accepting the objects doesn't accept their properties.
  ///   - model: The model with these names. Accepting an entity's property accepts it for its subentities, too.
  public func cover(entity: String, property: String?, in model: ManagedObjectModel) -> Bool {
    guard !names.isEmpty else { return false }
    guard let property else { return names.contains(Name(entity: entity)) }
    let owners = [entity] + model.chain(of: entity).map(\.name)
    // The name of a composite attribute includes all of its elements.
    let whole = model.attributes(of: entity).first { $0.name == property }?.element?.composite.name
    return names.contains {
      ($0.property == property || whole != nil && $0.property == whole) && owners.contains($0.entity)
    }
  }

  func problems(in models: [ManagedObjectModel]) -> [String] {
    names.compactMap { name in
      let owners = models.filter { $0.entity(named: name.entity) != nil }
      guard !owners.isEmpty else {
        let entities = models.flatMap { $0.entities.map(\.name) }
        return "“acceptedLosses” names “\(name.entity)”, but no version has this entity"
          + Self.hint(name.entity, among: entities, before: "")
      }
      guard let property = name.property else { return nil }
      // A loss names an element by the composite attribute's name and the element's own name. The composite attribute's
      // name alone stands for all its elements.
      let properties = owners.flatMap { owner in
        let attributes = owner.attributes(of: name.entity)
        return owner.propertyNames(of: name.entity) + attributes.map(\.name)
          + attributes.compactMap { $0.element?.composite.name }
      }
      guard !properties.contains(property) else { return nil }
      return "“acceptedLosses” names “\(name)”, but no version has this property"
        + Self.hint(property, among: properties, before: name.entity + ".")
    }
  }

  private static func hint(_ name: String, among names: [String], before: String) -> String {
    if let near = NearName.of(name, among: names) { return "; perhaps “\(before)\(near)” is meant" }
    var seen: Set<String> = []
    let known = names.filter { seen.insert($0).inserted }
    return "; there \(known.isEmpty ? "are none" : "are: " + known.prefix(20).joined(separator: ", "))"
  }
}
