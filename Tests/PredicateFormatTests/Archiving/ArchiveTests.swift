import DecantTestSupport
import Foundation
import KeyedArchive
import PredicateFormat
import Testing

@Suite struct ArchiveTests {
  private func again(_ expression: FormatExpression) throws -> FormatExpression {
    try FormatExpression(archive: Archive(parsing: expression.archived().binaryData()).root())
  }

  private func again(_ predicate: FormatPredicate) throws -> FormatPredicate {
    try FormatPredicate(archive: Archive(parsing: predicate.archived().binaryData()).root())
  }

  @Test(arguments: [
    "SELF", "$source", "name", "$source.name", "$source.countries.@distinctUnionOfSets.moods", "pages.@count",
    "@count",
    "books.@max.pages.@count", "now()", "random:(6)", "$source.timeBudget * 60", "uppercase:(title)",
    "modulus:by:(a, 2)",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"A\", $source.owner)",
    "FUNCTION(CAST(\"Own\", \"Class\"), \"getFirstName:\", $source.name)", "FUNCTION($m, \"f\").a.b",
    "own:(a)",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"A\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)",
    "CAST(a, \"NSNumber\")", "CAST(0, \"NSDate\")", "TRUE", "nil", "-9223372036854775808", "1.5", "-0.0",
    "\"é e\u{301}\"",
    "CAST(\"-1234.5678\", \"NSDecimalNumber\")", "CAST(\"0\", \"NSDecimalNumber\")", "18446744073709551615",
    "CAST(\"1e100\", \"NSDecimalNumber\")",
    "CAST(\"99999999999999999999999999999999999999\", \"NSDecimalNumber\")",
    "CAST(\"8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11\", \"NSUUID\")", "CAST(\"https://example.org\", \"NSURL\")",
    "CAST(\"AQI=\", \"NSData\")", "{1, \"a\", nil, {2}}", "CAST({1, nil}, \"NSSet\")",
    "CAST(\"inf\", \"NSNumber\")",
    "FUNCTION(SELF, \"valueForKey:\", \"odd key\")",
  ])
  func anExpressionComesBackAsItWas(text: String) throws {
    let expression = try FormatExpression(parsing: text)
    #expect(try again(expression) == expression)
  }

  @Test(arguments: [
    "TRUEPREDICATE", "FALSEPREDICATE", "a == 1", "a !=[cd] nil", "a < 1 AND (b <= 2 OR c > 3) AND NOT d >= 4",
    "a IN {1, 2}", "ANY a.b CONTAINS[c] \"x\"", "ALL a ==[nl] $FETCH_SOURCE", "NOT (a == 1 AND b == 2)",
  ])
  func aPredicateComesBackAsItWas(text: String) throws {
    let predicate = try FormatPredicate(parsing: text)
    #expect(try again(predicate) == predicate)
  }

  @Test func theLayoutIsTheGenuineOne() throws {
    let list = try FormatExpression(parsing: "$source.firstName").archived()
    let path = try #require(
      list["$objects"]?.array?.compactMap(\.dictionary).first { $0["NSSelectorName"] != nil })
    #expect(path["NSExpressionType"] == .integer(4))
    let archive = try Archive(parsing: list.binaryData())
    let root = try archive.root()
    #expect(root.className == "NSKeyPathExpression")
    #expect(try root.string("NSSelectorName") == "valueForKeyPath:")
    #expect(try root.member("NSOperand")?.string("NSVariable") == "source")
    var allowance = ArchiveAllowance()
    let specifier = try #require(try root.list("NSArguments", &allowance)?.first)
    #expect(specifier.className == "NSKeyPathSpecifierExpression")
    #expect(try specifier.string("NSKeyPath") == "firstName")
    #expect(try specifier.integer("NSExpressionType") == 10)

    let ofSelf = try Archive(parsing: FormatExpression.key("a").archived().binaryData()).root()
    #expect(try ofSelf.integer("NSExpressionType") == 3)
    #expect(try ofSelf.string("NSSelectorName") == "valueForKey:")

    let unequal = try Archive(parsing: FormatPredicate(parsing: "a !=[c] 1").archived().binaryData()).root()
    let operation = try #require(try unequal.member("NSPredicateOperator"))
    #expect(operation.className == "NSEqualityPredicateOperator")
    #expect(try operation.flag("NSNegate"))
    #expect(try operation.integer("NSOptions") == 1)
    let inside = try Archive(parsing: FormatPredicate(parsing: "a IN[d] {1}").archived().binaryData()).root()
    #expect(try inside.member("NSPredicateOperator")?.integer("NSFlags") == 2)
  }

  @Test(arguments: [
    "SUBQUERY(a, $x, $x == 1)", "TERNARY(a == 1, 1, 2)", "a UNION b", "ANYKEY", "$x := 1", "a[0]", "{a, 1}",
    "CAST({\"k\", 1}, \"NSDictionary\")", "SUBQUERY(a, $x, $x == 1).@count",
  ])
  func whatNoGenuineArchiveHasShownIsRefused(text: String) throws {
    let expression = try FormatExpression(parsing: text)
    #expect(throws: ArchivingError.self) { try expression.archived() }
  }

  @Test(arguments: [
    "a MATCHES 'x'", "a LIKE 'x'", "a BEGINSWITH 'x'", "a ENDSWITH 'x'", "a BETWEEN {1, 2}", "a UTI-EQUALS 'x'",
  ])
  func operatorsThatNoGenuineArchiveHasShownAreRefused(text: String) throws {
    let predicate = try FormatPredicate(parsing: text)
    let error = #expect(throws: ArchivingError.self) { try predicate.archived() }
    #expect(error?.description.hasPrefix("the archived form of the operator ") == true)
  }

  @Test func allThatHasAnArchiveComesBack() throws {
    var generator = FormatGenerator(seed: 5)
    var count = 0
    for round in 0..<2000 {
      let predicate = generator.predicate(3)
      guard let list = try? predicate.archived() else { continue }
      count += 1
      let read = try FormatPredicate(archive: Archive(parsing: list.binaryData()).root())
      #expect(read == predicate, "round \(round): \(predicate)")
    }
    #expect(count > 200)
  }
}

@Suite struct HostileArchiveTests {
  private func read(_ build: (inout ArchiveWriter) -> PropertyList) throws -> FormatExpression {
    var writer = ArchiveWriter()
    let root = build(&writer)
    return try FormatExpression(archive: Archive(parsing: writer.data(root: root)).root())
  }

  @Test func aCircleAndADeepNestAreRefused() {
    #expect(throws: ArchiveError.tooDeep(limit: 100)) {
      try read { writer in
        let circle = writer.reserve()
        let list = writer.array([circle])
        writer.set(
          circle, "NSFunctionExpression",
          ["NSSelectorName": .string("abs:"), "NSOperand": circle, "NSArguments": list])
        return circle
      }
    }
    #expect(throws: ArchiveError.tooDeep(limit: 100)) {
      try read { writer in
        let list = writer.reserve()
        writer.set(list, "NSArray", ["NS.objects": .array([list])])
        return writer.add("NSConstantValueExpression", ["NSConstantValue": list])
      }
    }
  }

  @Test func sharedPartsCostWhatTheyComeTo() {
    #expect(throws: ArchiveError.self) {
      try read { writer in
        var node = writer.add("NSSelfExpression", [:])
        for _ in 0..<60 {
          let arguments = writer.array([node, node])
          node = writer.add(
            "NSFunctionExpression",
            ["NSSelectorName": .string("f:g:"), "NSOperand": node, "NSArguments": arguments])
        }
        return node
      }
    }
  }

  @Test(arguments: [
    ("NSBlockExpression", [String: PropertyList]()), ("NSVariableExpression", [:]),
    ("NSVariableExpression", ["NSVariable": .string("a b")]),
    ("NSKeyPathExpression", [:]), ("NSFunctionExpression", [:]),
    ("NSFunctionExpression", ["NSSelectorName": .string("f")]),
    ("NSKeyPathSpecifierExpression", ["NSKeyPath": .string("a..b")]),
    ("NSKeyPathSpecifierExpression", ["NSKeyPath": .string("a.@odd")]),
    ("NSConstantValueExpression", ["NSConstantValue": .dictionary([:])]), ("NSTernaryExpression", [:]),
    ("NSSubqueryExpression", [:]),
    ("NSFetchRequestExpression", [:]), ("NSComparisonPredicate", [:]),
  ])
  func unknownOrIncompleteOnesAreRefusedByName(className: String, keys: [String: PropertyList]) {
    #expect(throws: ArchiveError.self) { try read { writer in writer.add(className, keys) } }
  }

  @Test(arguments: ["abs:", "now", "a b:", "SUBQUERY:"])
  func aFunctionWithOtherArgumentsIsRefused(selector: String) {
    #expect(throws: ArchiveError.self) {
      try read { writer in
        let target = writer.add(
          "NSConstantValueExpression", ["NSConstantValueClassName": .string("_NSPredicateUtilities")])
        let arguments = writer.array(
          selector == "a b:" || selector == "SUBQUERY:" ? [target] : [target, target])
        return writer.add(
          "NSFunctionExpression",
          ["NSOperand": target, "NSSelectorName": .string(selector), "NSArguments": arguments])
      }
    }
  }

  @Test(arguments: [("NSOperatorType", 11), ("NSModifier", 3), ("NSOptions", 16)])
  func anUnknownOperatorIsRefused(key: String, number: Int64) {
    var writer = ArchiveWriter()
    let side = writer.add("NSSelfExpression", [:])
    var keys: [String: PropertyList] = [
      "NSOperatorType": .integer(4), "NSModifier": .integer(0), "NSOptions": .integer(0),
    ]
    keys[key] = .integer(number)
    let operation = writer.add("NSPredicateOperator", keys)
    let root = writer.add(
      "NSComparisonPredicate",
      ["NSLeftExpression": side, "NSRightExpression": side, "NSPredicateOperator": operation])
    let data = writer.data(root: root)
    #expect(throws: ArchiveError.self) { try FormatPredicate(archive: Archive(parsing: data).root()) }
  }
}
