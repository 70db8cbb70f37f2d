/// The column names that are already assigned in a table, with their properties.
struct ColumnNames {
  enum Certainty: Hashable {
    case certain
    /// Another column already has the expected name, usually because a property's own name ends in a digit.
    case besideDigit
    /// The name of another property of the same entity differs only in case. Which of the two columns gets the digit
    /// isn't known.
    case besideOwn(StoreLayout.Property)
  }

  private var owners: [String: [(property: StoreLayout.Property, isElement: Bool)]] = [:]
  private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Assigns a column name: the wanted name, or if it is taken, the wanted name with a digit
  /// (docs/formats/core-data-sqlite.md 2.2).
  ///
  /// - Parameter isElement: Whether the property is an element of a composite attribute. An element may have the same
  ///   name as another property of the entity (docs/formats/core-data-sqlite.md 2.4).
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
