/// The column names that a table has so far, with the properties that they were given to.
struct ColumnNames {
  /// Whether the rule gives a name for certain.
  enum Certainty: Hashable {
    case certain
    /// The name with its digit is also that of a property whose own name ends in one.
    case besideDigit
    /// Two properties of one entity: which of them has the digit isn't known.
    case besideOwn(StoreLayout.Property)
  }

  private var owners: [String: [(property: StoreLayout.Property, isElement: Bool)]] = [:]
  private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Gives out a name: as it is wanted, or with the next digit where it is taken
  /// (docs/formats/core-data-sqlite.md 2.2).
  ///
  /// - Parameter isElement: Whether the property is an element of a composite attribute, which may be called as another
  ///   property of the entity (docs/formats/core-data-sqlite.md 2.4).
  mutating func take(
    _ wanted: String, for property: StoreLayout.Property, isElement: Bool = false
  ) -> (name: String, certainty: Certainty) {
    let others = owners[wanted, default: []]
    owners[wanted, default: []].append((property, isElement))
    var digit = others.count
    func name() -> String { digit == 0 ? wanted : wanted + String(digit) }
    let expected = name()
    while !taken.insert(name()).inserted { digit += 1 }
    if !isElement,
      let other = others.first(where: { $0.property.entity == property.entity && !$0.isElement })
    {
      return (name(), .besideOwn(other.property))
    }
    return (name(), name() == expected ? .certain : .besideDigit)
  }
}
