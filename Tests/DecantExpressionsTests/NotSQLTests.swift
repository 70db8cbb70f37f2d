import PredicateFormat
import Testing

@testable import DecantExpressions

/// Expressions that can't be SQL are refused with a reason.
@Suite struct NotSQLTests {
  private func reason(_ text: String, of entity: String = "Note") throws -> String? {
    let sql = SourceSQL(layout: try ExpressionModel.layout(), entity: entity)
    do throws(NotSQL) {
      if let predicate = try? FormatPredicate(parsing: text) {
        _ = try sql.condition(predicate)
      } else if let expression = try? FormatExpression(parsing: text) {
        _ = try sql.value(expression)
      } else {
        return "no text"
      }
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: [
    ("FUNCTION($entityPolicy, 'initial:', $source.text)", "FUNCTION(…, “initial:”)"),
    (
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'A', $source)",
      "FUNCTION(…"
    ),
    ("FUNCTION(CAST('NSString', 'Class'), 'string')", "FUNCTION(…"),
    ("$manager", "the variable “$manager” has no value"),
    ("$destination.text", "the variable “$destination” has no value"),
    ("FETCH(text, text, NO)", "managed object context"), ("random()", "random"), ("random(5)", "random"),
    ("text UTI-EQUALS 'public.data'", "uniform type identifiers"), ("ANYKEY", "ANYKEY"),
    ("$x := 5", "assignment"),
    ("nothing", "“Note” has no key “nothing”"), ("author.nothing.name", "“Author” has no key “nothing”"),
    ("comments", "many values"), ("comments.text", "many values"), ("{1, 2}", "many values"),
    ("comments UNION lines", "many values"), ("comments.@distinctUnionOfObjects.text", "many values"),
    ("author", "gives an object"),
    ("SELF", "gives an object"), ("thing == bytes", "transformable"), ("thing.length", "transformable"),
    ("SUBQUERY({1, 2}, $x, $x > 1).@count", "SUBQUERY"), ("(comments UNION lines).text.@count", "look up"),
    ("distanceToLocation:fromLocation:(text, text)", "can't be evaluated"),
  ])
  func reasons(text: String, words: String) throws {
    let reason = try reason(text)
    #expect(reason?.contains(words) == true, "\(text): \(reason ?? "became SQL")")
  }

  @Test(arguments: [
    "$source.text", "thing", "thing != nil", "passing", "author != nil", "comments.@count", "points == 1",
    "done",
  ])
  func whatIsSQL(text: String) throws { #expect(try reason(text) == nil) }

  @Test func aTransformableValueIsPassedOnAsItIs() throws {
    let sql = SourceSQL(layout: try ExpressionModel.layout(), entity: "Note")
    #expect(try sql.typed(.key("thing")).kind == .transformable)
  }

  @Test func aTextWhoseSQLWouldGrowWithoutBounds() throws {
    var value = "small"
    for _ in 0..<40 { value = "TERNARY(\(value) IN comments.stars, 1, 2)" }
    #expect(try reason(value)?.contains("too long") == true)
    var object = "author"
    for _ in 0..<25 { object = "SUBQUERY(\(object).notes, $n, $n.small > 1)[FIRST].author" }
    #expect(try reason("\(object).name") != nil)
  }

  @Test func aTextThatIsNestedTooDeepForSQLite() throws {
    var text = "small"
    for _ in 0..<45 { text = "TERNARY(flag == YES, \(text), real)" }
    let reason = try reason(text)
    #expect(reason?.contains("nested too deep") == true, "\(reason ?? "became SQL")")
    // A long chain of ORs isn't nested deeply.
    let chain = (0..<400).map { "small == \($0)" }.joined(separator: " OR ")
    #expect(try self.reason(chain) == nil)
    let members = (0..<5000).map { "'\($0)'" }.joined(separator: ", ")
    #expect(try self.reason("text IN {\(members)}") == nil)
  }
}
