internal import KeyedArchive

/// Writes predicates and expressions as the object table of a keyed archive (docs/formats/predicate-format.md 5).
struct ArchivedFormatWriter {
  private var table = ArchiveTable()

  func list(root: PropertyList) -> PropertyList { table.list(root: root) }

  mutating func place(_ value: PropertyList) -> PropertyList { table.place(value) }

  /// - Parameter names: The object's class and its superclasses, without `NSObject`.
  mutating func object(_ names: [String], _ keys: [String: PropertyList]) -> PropertyList {
    table.object(names, keys)
  }

  mutating func array(_ members: [PropertyList]) -> PropertyList {
    object(["NSArray"], ["NS.objects": .array(members)])
  }

  mutating func add(_ predicate: Predicate) throws(ArchivingError) -> PropertyList {
    switch predicate {
    case .always: return object(["NSTruePredicate", "NSPredicate"], [:])
    case .never: return object(["NSFalsePredicate", "NSPredicate"], [:])
    case .not(let inner): return try compound(0, [inner])
    case .and(let parts): return try compound(1, parts)
    case .or(let parts): return try compound(2, parts)
    case .comparison(let comparison):
      let left = try add(comparison.left)
      let right = try add(comparison.right)
      return object(
        ["NSComparisonPredicate", "NSPredicate"],
        [
          "NSLeftExpression": left, "NSRightExpression": right,
          "NSPredicateOperator": try operation(of: comparison),
        ])
    }
  }

  private mutating func compound(_ type: Int64, _ parts: [Predicate]) throws(ArchivingError) -> PropertyList {
    var members: [PropertyList] = []
    for part in parts { members.append(try add(part)) }
    let list = array(members)
    return object(
      ["NSCompoundPredicate", "NSPredicate"],
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list])
  }

  private mutating func operation(of comparison: Comparison) throws(ArchivingError) -> PropertyList {
    let operation = comparison.operation
    guard let type = ArchivedFormat.operators.first(where: { $0.operation == operation })?.type else {
      throw .unknownForm("the operator \(operation.rawValue)")
    }
    let options = PropertyList.integer(Int64(comparison.options.rawValue))
    var keys: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(Int64(comparison.modifier.rawValue)),
    ]
    let name: String
    switch operation {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      name = "NSComparisonPredicateOperator"
      keys["NSVariant"] = .integer(type)
      keys["NSOptions"] = options
    case .equal, .notEqual:
      name = "NSEqualityPredicateOperator"
      keys["NSNegate"] = .boolean(operation == .notEqual)
      keys["NSOptions"] = options
    case .in, .contains:
      name = "NSInPredicateOperator"
      keys["NSFlags"] = options
    default: throw .unknownForm("the operator \(operation.rawValue)")
    }
    return object([name, "NSPredicateOperator"], keys)
  }
}
