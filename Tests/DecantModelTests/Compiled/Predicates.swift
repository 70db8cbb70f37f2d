import DecantTestSupport
import KeyedArchive

/// Archived predicates and expressions for tests (docs/formats/predicate-format.md 5).
enum Predicates {
  static func path(_ writer: inout ArchiveWriter, _ path: String) -> PropertyList {
    let operand = writer.add("NSSelfExpression", ["NSExpressionType": .integer(1)])
    let text = writer.text(path)
    let specifier = writer.add("NSKeyPathSpecifierExpression", ["NSKeyPath": text])
    return writer.add(
      "NSKeyPathExpression",
      [
        "NSOperand": operand, "NSSelectorName": .string("valueForKey:"),
        "NSArguments": writer.array([specifier]),
      ])
  }

  static func function(
    _ writer: inout ArchiveWriter, _ selector: String, _ arguments: [PropertyList]
  ) -> PropertyList {
    let operand = writer.add(
      "NSConstantValueExpression", ["NSConstantValueClassName": .string("_NSPredicateUtilities")])
    return writer.add(
      "NSFunctionExpression",
      ["NSOperand": operand, "NSSelectorName": .string(selector), "NSArguments": writer.array(arguments)])
  }

  /// A comparison of `SELF`, or of its value for a key, with a constant.
  static func compare(
    _ writer: inout ArchiveWriter, _ key: String?, _ type: Int64, _ constant: PropertyList, options: Int64 = 0
  ) -> PropertyList {
    let left = key.map { path(&writer, $0) } ?? writer.add("NSSelfExpression", [:])
    let right = writer.add("NSConstantValueExpression", ["NSConstantValue": constant])
    let operation = writer.add(
      "NSPredicateOperator",
      ["NSOperatorType": .integer(type), "NSModifier": .integer(0), "NSOptions": .integer(options)])
    return writer.add(
      "NSComparisonPredicate",
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": operation])
  }

  static func both(_ writer: inout ArchiveWriter, _ parts: [PropertyList]) -> PropertyList {
    let list = writer.array(parts)
    return writer.add("NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": list])
  }

  static func list(_ writer: inout ArchiveWriter, _ predicates: [PropertyList]) -> PropertyList {
    writer.array(predicates)
  }
}

/// The archive of a model with the only entity `E`.
enum OneEntity {
  static func root(
    _ writer: inout ArchiveWriter, properties: [(String, PropertyList)], keys: [String: PropertyList] = [:]
  ) -> PropertyList {
    var own = keys
    own["NSEntityName"] = writer.text("E")
    own["NSProperties"] = writer.dictionary(properties)
    let entity = writer.add("NSEntityDescription", own)
    let entities = writer.dictionary([("E", entity)])
    return writer.add("NSManagedObjectModel", ["NSEntities": entities])
  }
}
