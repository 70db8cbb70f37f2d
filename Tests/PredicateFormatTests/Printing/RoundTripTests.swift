import Foundation
import PredicateFormat
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: [1, 2, 3, 4])
  func whatIsPrintedParsesToTheSame(seed: UInt64) throws {
    var generator = FormatGenerator(seed: seed)
    for round in 0..<400 {
      let predicate = generator.predicate(4)
      let text = predicate.description
      #expect(try FormatPredicate(parsing: text) == predicate, "seed \(seed), round \(round): \(text)")
      let expression = generator.expression(4)
      let expressionText = expression.description
      #expect(
        try FormatExpression(parsing: expressionText) == expression,
        "seed \(seed), round \(round): \(expressionText)")
    }
  }

  @Test(arguments: [
    ("a+b*c", "a + b * c"), ("(a+b)*c", "(a + b) * c"), ("a-(b-c)", "a - (b - c)"), ("a-b-c", "a - b - c"),
    ("2**3**2", "2 ** 3 ** 2"), ("(2**3)**2", "(2 ** 3) ** 2"), ("-5", "-5"), ("-a", "0 - a"),
    ("--5", "0 - -5"),
    ("(5).length", "(5).length"), ("\"abc\".length", "\"abc\".length"), ("SELF.price", "price"),
    ("self", "SELF"),
    ("count:(pages)", "pages.@count"), ("count(pages)", "pages.@count"), ("sum(prices)", "sum:(prices)"),
    ("now()", "now()"), ("add:to:(a, 1)", "a + 1"), ("a union b minus c", "a UNION b MINUS c"),
    ("CAST(0,'NSDate')", "CAST(0, \"NSDate\")"),
    ("CAST(\"1.50\", \"NSDecimalNumber\")", "CAST(\"1.5\", \"NSDecimalNumber\")"),
    ("ternary(a==nil,'x',a)", "TERNARY(a == nil, \"x\", a)"), ("pages[first].title", "pages[FIRST].title"),
    ("(a.@max.b).c", "(a.@max.b).c"),
    ("FUNCTION($m, 'valueForKey:', 'a-b').c", "FUNCTION($m, \"valueForKey:\", \"a-b\").c"),
    ("$m.answer(1)", "FUNCTION($m, \"answer:\", 1)"), ("0x1F", "31"), ("true", "TRUE"), ("nil", "nil"),
    ("#size", "#size"), ("a.size", "a.#size"),
    ("subquery(c,$x,$x.a>1).@count", "SUBQUERY(c, $x, $x.a > 1).@count"),
    ("FETCH(r, $m.sourceContext, no)", "FETCH(r, $m.sourceContext, NO)"), ("{1,'a',{}}", "{1, \"a\", {}}"),
    ("18446744073709551615", "18446744073709551615"), ("-9223372036854775808", "-9223372036854775808"),
  ])
  func expressionsArePrintedInOneWay(text: String, printed: String) throws {
    #expect(try FormatExpression(parsing: text).description == printed)
  }

  @Test(arguments: [
    ("a=1", "a == 1"), ("a<>1 or b=>2 && c=<3", "a != 1 OR (b >= 2 AND c <= 3)"),
    ("not a==1 and !(b==2 or c==3)", "NOT a == 1 AND NOT (b == 2 OR c == 3)"),
    ("some a==1", "ANY a == 1"), ("none a==1", "NOT ANY a == 1"),
    ("all a.b like[dc] 'x*'", "ALL a.b LIKE[cd] \"x*\""),
    ("((a))==(b)", "a == b"), ("a between {1,5}", "a BETWEEN {1, 5}"), ("(a and b) == 1", nil),
    ("truepredicate", "TRUEPREDICATE"),
    ("f uti-conforms-to 'public.data'", "f UTI-CONFORMS-TO \"public.data\""),
    ("a == (b == c)", nil), ("a == $x := 1", "a == ($x := 1)"), ("a == ($x := 1)", "a == ($x := 1)"),
  ])
  func predicatesArePrintedInOneWay(text: String, printed: String?) throws {
    guard let printed else {
      #expect(throws: FormatError.self) { try FormatPredicate(parsing: text) }
      return
    }
    #expect(try FormatPredicate(parsing: text).description == printed)
  }

  @Test func aLongChainIsOneLevel() throws {
    let text = (0..<10_000).map { "a == \($0)" }.joined(separator: " AND ")
    let predicate = try FormatPredicate(parsing: text)
    guard case .and(let parts) = predicate else {
      Issue.record("no AND")
      return
    }
    #expect(parts.count == 10_000)
    #expect(predicate.description == text)
    #expect(try FormatPredicate(parsing: text) == predicate)
  }

  @Test(
    "a key that isn't a name is printed as a FUNCTION call, several as nested calls",
    arguments: [["b c"], ["b c", "d e"], ["a", "b c", "d", "e f", "g"]])
  func oddKeys(_ keys: [String]) throws {
    let expression = FormatExpression.path(from: .variable("source"), keys.map { .key($0) })
    let text = expression.description
    #expect(try FormatExpression(parsing: text) == expression, "\(text)")
    #expect(text.components(separatedBy: "FUNCTION(").count - 1 == keys.count { $0.contains(" ") }, "\(text)")
  }

  @Test func objectsHaveALabelAndNoText() {
    let expression = FormatExpression.constant(.object(ObjectReference(Labelled())))
    #expect(expression.description == "«Nota/p1»")
    #expect(throws: FormatError.self) { try FormatExpression(parsing: expression.description) }
  }
}

private struct Labelled: KeyValueObject {
  let identity = ObjectIdentity.row(space: "Nota", key: 1)
  let label = "Nota/p1"
  func value(forKey key: String) -> Value? { nil }
}
