internal import DecantModel
internal import DecantStore

/// The numbers from which attributes of uniqueness constraints get unique values.
struct UniqueNumbers {
  /// The part of an object's number from which one attribute gets its value, like one digit of the number.
  struct Digit: Sendable, Hashable {
    let divisor: UInt64
    let modulus: UInt64
    /// For objects from this number on, the attribute is nil.
    ///
    /// Uniqueness constraints ignore such objects.
    let limit: UInt64

    func value(of number: Int) -> UInt64? {
      let number = UInt64(max(0, number))
      return number < limit ? number / divisor % modulus : nil
    }
  }

  private(set) var digits: [StoreLayout.Property: Digit] = [:]
  private let layout: StoreLayout

  /// - Throws: `GeneratingError.cannotBeUnique` if the rows of a table can't all have different values.
  init(_ layout: StoreLayout, populations: [String: Population]) throws(GeneratingError) {
    self.layout = layout
    for entity in layout.model.entities {
      guard let root = layout.model.root(of: entity.name), let rows = populations[root.name]?.count else {
        continue
      }
      for constraint in entity.uniquenessConstraints.sorted(by: { $0.count < $1.count }) {
        try settle(constraint, of: entity.name, rows: rows)
      }
    }
  }

  private struct Candidate {
    let property: StoreLayout.Property
    let attribute: Attribute
    let capacity: UInt64
  }

  private mutating func settle(
    _ constraint: [String], of entity: String, rows: Int
  ) throws(GeneratingError) {
    let wanted = UInt64(max(1, rows))
    let candidates = constraint.compactMap { name -> Candidate? in
      guard let property = layout.property(name, of: entity),
        let attribute = layout.model.attribute(name, of: entity),
        layout.attributeColumn(name, of: entity) != nil
      else { return nil }
      return Candidate(
        property: property, attribute: attribute,
        capacity: max(1, ValueSource.capacity(of: attribute, property: property)))
    }
    let isUnique = candidates.contains {
      digits[$0.property].map { $0.divisor == 1 && ($0.modulus >= wanted || $0.limit <= $0.modulus) } ?? false
    }
    if isUnique || rows == 0 { return }
    var chosen: [(candidate: Candidate, divisor: UInt64)] = []
    var product: UInt64 = 1
    let free = candidates.filter { digits[$0.property] == nil && $0.capacity > 1 }
    for candidate in free.sorted(by: { $0.capacity > $1.capacity }) where product < wanted {
      chosen.append((candidate, product))
      let (next, overflows) = product.multipliedReportingOverflow(by: candidate.capacity)
      product = overflows ? .max : next
    }
    let isEnough = product >= wanted
    let nullable = chosen.firstIndex { $0.candidate.attribute.isOptional }
    guard isEnough || nullable != nil else {
      throw .cannotBeUnique(entity: entity, constraint: constraint, rows: rows, capacity: product)
    }
    for (index, choice) in chosen.enumerated() {
      digits[choice.candidate.property] = Digit(
        divisor: choice.divisor, modulus: choice.candidate.capacity,
        limit: isEnough || index != nullable ? .max : product)
    }
  }
}
