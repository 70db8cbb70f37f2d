/// The column names that a table has until now, with their properties.
struct ColumnNames {
  /// Whether the rule gives a certain name.
  enum Certainty: Hashable {
    case certain
    /// The name with its digit is also the name of a property that ends in a digit.
    case besideDigit
    /// Both properties belong to one entity: which of them gets the digit isn't known.
    case besideOwn(StoreLayout.Property)
  }

  private var owners: [String: [(property: StoreLayout.Property, isElement: Bool)]] = [:]
  private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Assigns a column name: the wanted name, and with the next digit if it is taken (docs/formats/core-data-sqlite.md
  /// 2.2).
  ///
  /// - Parameter isElement: Whether the property is an element of a composite attribute. It may have the same name as
  ///   another property of the entity (docs/formats/core-data-sqlite.md 2.4).
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
