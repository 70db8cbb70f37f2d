internal import DecantModel

/// The orders of property names in Core Data's hash tables (docs/formats/core-data-sqlite.md 4.4, 4.5).
///
/// These orders decide names of join tables and of their columns. They also decide in which order join tables and some
/// indexes are created.
enum PropertyHashOrder {
  /// Numbers of buckets by number of keys.
  ///
  /// `naming` has the sizes of the older hash table (docs/formats/core-data-sqlite.md 4.4). `creation` has the sizes of
  /// today's hash table (docs/formats/core-data-sqlite.md 4.5).
  struct Sizes {
    let steps: [(keys: Int, buckets: Int)]

    static let naming = Sizes(steps: [
      (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521), (521, 839),
    ])
    static let creation = Sizes(steps: [(3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127)])

    func buckets(for keys: Int) -> Int? { steps.first { keys <= $0.keys }?.buckets }
  }

  /// Names in the order of the older table (docs/formats/core-data-sqlite.md 4.4); `nil` if no size of the table is
  /// known for so many names.
  static func names(_ names: [String]) -> [String]? {
    order(names.sorted(by: NameOrder.codePoints), sizes: .naming, hash: { UInt64(hash32($0)) })
  }

  /// Names in the order of today's table, which is mostly the order in which join tables are created
  /// (docs/formats/core-data-sqlite.md 4.5).
  ///
  /// The table's size is chosen for three more names. The names are sorted if no such size is known.
  static func creation(_ names: [String]) -> [String] {
    let names = names.sorted(by: NameOrder.codePoints)
    return order(names, sizes: .creation, hash: hash64) ?? names
  }

  /// The names of an entity's properties in the order of `NSProperties` in a store's own model
  /// (docs/formats/core-data-sqlite.md 4.5).
  ///
  /// This is the order of today's table if its size is chosen for this number of names. The names are sorted if no size
  /// of the table is known for so many names.
  static func properties(of entity: String, in model: ManagedObjectModel) -> [String] {
    let names = inserted(of: entity, in: model)
    return order(names, sizes: .creation, reserve: 0, hash: hash64) ?? names.sorted(by: NameOrder.codePoints)
  }

  /// The names of an entity's properties in the order in which Core Data puts them into the table of `NSProperties`.
  ///
  /// The page doesn't say where fetched properties come. They are the last here.
  private static func inserted(of entity: String, in model: ManagedObjectModel) -> [String] {
    let root = model.chain(of: entity).last?.name ?? entity
    var properties: [(name: String, group: Int, isOrdered: Bool)] = []
    for attribute in model.attributes(of: entity).declared {
      properties.append((attribute.name, attribute.isTransient ? 1 : 0, false))
    }
    for relationship in model.relationships(of: entity) {
      let group = relationship.isToMany ? (relationship.isTransient ? 4 : 3) : 2
      properties.append((relationship.name, group, relationship.isOrdered))
    }
    for name in Set(model.chain(of: entity).flatMap(\.fetchedProperties).map(\.name)) {
      properties.append((name, 5, false))
    }
    let own = Set(model.propertyNames(of: root))
    func rank(_ property: (name: String, group: Int, isOrdered: Bool)) -> (Int, Int, Int) {
      (property.group, property.isOrdered ? 1 : 0, own.contains(property.name) ? 0 : 1)
    }
    return properties.sorted {
      let (left, right) = (rank($0), rank($1))
      return left == right ? NameOrder.codePoints($0.name, $1.name) : left < right
    }.map(\.name)
  }

  /// - Parameter names: The names in the order in which they are put into the table.
  private static func order(
    _ names: [String], sizes: Sizes, reserve: Int = 3, hash: (String) -> UInt64
  ) -> [String]? {
    guard let buckets = sizes.buckets(for: names.count + reserve) else { return nil }
    var table = [String?](repeating: nil, count: buckets)
    for name in names {
      var bucket = Int(hash(name) % UInt64(buckets))
      while table[bucket] != nil { bucket = (bucket + 1) % buckets }
      table[bucket] = name
    }
    return table.compactMap { $0 }
  }

  /// The 32-bit string hash over UTF-16 units (docs/formats/core-data-sqlite.md 4.4).
  static func hash32(_ text: String) -> UInt32 {
    let units = Array(text.utf16)
    var hash = UInt32(truncatingIfNeeded: units.count)
    fold(units) { factor, addend in
      hash = hash &* UInt32(truncatingIfNeeded: factor) &+ UInt32(truncatingIfNeeded: addend)
    }
    return hash &+ (hash << UInt32(units.count & 31))
  }

  /// The string hash in 64 bits (docs/formats/core-data-sqlite.md 4.5).
  static func hash64(_ text: String) -> UInt64 {
    let units = Array(text.utf16)
    var hash = UInt64(units.count)
    fold(units) { factor, addend in hash = hash &* factor &+ addend }
    return hash &+ (hash << UInt64(units.count & 31))
  }

  /// Hashes four units at a time, and the remaining units one by one.
  ///
  /// If the text has more than 96 units, only three parts of 32 units are hashed: the start, the middle and the end.
  private static func fold(_ units: [UInt16], _ step: (_ factor: UInt64, _ addend: UInt64) -> Void) {
    let parts: [ArraySlice<UInt16>] =
      units.count <= 96
      ? [units[...]]
      : [units.prefix(32), units[(units.count / 2 - 16)..<(units.count / 2 + 16)], units.suffix(32)]
    for part in parts {
      var rest = part
      while rest.count >= 4 {
        let four = rest.prefix(4).map(UInt64.init)
        step(67_503_105, 16_974_593 &* four[0] &+ 66_049 &* four[1] &+ 257 &* four[2] &+ four[3])
        rest = rest.dropFirst(4)
      }
      for unit in rest { step(257, UInt64(unit)) }
    }
  }
}
