import Foundation
import PredicateFormat
import Testing

@Suite struct OperatorTests {
  private let scene = Scene([
    "gone": .null, "one": .integer(1), "half": .double(0.5), "price": .decimal(Decimal(string: "1.50") ?? 0),
    "yes": .boolean(true), "name": .string("Añejo"), "nfd": .string("An\u{303}ejo"), "when": .date(10),
    "id": .uuid(UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID()),
    "bytes": .data(Data([1, 2])),
    "map": .dictionary(["k": .integer(3)]), "tags": .set([.string("a"), .string("b")]),
    "list": .array([.integer(1), .null, .integer(3)]), "empty": .array([]), "nan": .double(.nan),
  ])

  @Test(arguments: [
    // Equality with nil, of numbers by value, of strings by bytes, and of other kinds.
    ("gone == nil", true), ("gone != nil", false), ("one == nil", false), ("one != nil", true),
    ("nan == nil", true),
    ("nil == nil", true), ("one == 1.0", true), ("one == yes", true), ("price == 1.5", true),
    ("half == 0.50", true),
    ("9007199254740993 == 9007199254740992.0", false), ("one == '1'", false), ("one != '1'", true),
    ("name == 'Añejo'", true), ("name == nfd", false), ("name ==[c] nfd", true), ("name ==[cd] 'anejo'", true),
    ("name ==[c] 'AÑEJO'", true), ("name ==[c] 'anejo'", false), ("name ==[d] 'Anejo'", true),
    ("name ==[d] 'anejo'", false), ("name ==[n] nfd", false), ("name ==[l] 'Añejo'", true),
    ("'STRASSE' ==[c] 'straße'", true), ("when == CAST(10, 'NSDate')", true), ("when == 10", false),
    ("CAST(-0.0, 'NSDate') == CAST(0, 'NSDate')", true), ("CAST(-0.0, 'NSDate') IN {CAST(0, 'NSDate')}", true),
    ("CAST({CAST(-0.0, 'NSDate')}, 'NSSet') == CAST({CAST(0, 'NSDate')}, 'NSSet')", true),
    ("id == CAST('8c2b7a04-0d5c-4a8e-9b36-7e0d3e6b5a11', 'NSUUID')", true),
    ("bytes == CAST('AQI=', 'NSData')", true),
    ("tags == CAST({'b', 'a'}, 'NSSet')", true), ("tags == {'a', 'b'}", false), ("list == {1.0, nil, 3}", true),
    ("{'A'} ==[c] {'a'}", true), ("map == map", true), ("SELF == SELF", true),
    // Ordering with nil on each side, which is false; of numbers by value, of dates, and of strings by bytes.
    ("gone < 1", false), ("gone >= 1", false), ("1 < gone", false), ("nan < 1", false), ("one < 1.5", true),
    ("price > 1", true), ("price <= 1.5", true), ("yes >= 1", true), ("when < CAST(11, 'NSDate')", true),
    ("'a' < 'b'", true), ("'B' < 'a'", true), ("'B' <[c] 'a'", false), ("'z' < 'é'", true),
    ("'z' <[d] 'é'", false),
    ("9223372036854775807 < 9223372036854775808.0", true),
    ("-9223372036854775808 >= -9223372036854775808.0", true),
    ("1 > -1e300", true), ("1 < 1e300", true), ("1 < CAST('inf', 'NSNumber')", true),
    // BETWEEN with values at both ends and with nil in each place.
    ("one BETWEEN {1, 5}", true), ("one BETWEEN {0, 1}", true), ("one BETWEEN {2, 5}", false),
    ("gone BETWEEN {1, 5}", false), ("one BETWEEN {nil, 5}", false), ("one BETWEEN gone", false),
    ("'m' BETWEEN {'a', 'z'}", true), ("NOT one BETWEEN {2, 5}", true),
    // IN and CONTAINS with collections, dictionaries and strings.
    ("one IN {1.0, 2}", true), ("one IN {}", false), ("gone IN {1, nil}", true), ("gone IN {1}", false),
    ("one IN gone", false), ("3 IN map", true), ("'k' IN map", false), ("'ej' IN name", true),
    ("'EJ' IN name", false),
    ("'EJ' IN[c] name", true), ("'' IN name", true), ("gone IN name", false), ("'A' IN[c] tags", true),
    ("NOT 'x' IN tags", true), ("tags CONTAINS 'a'", true), ("list CONTAINS nil", true),
    ("gone CONTAINS 'a'", false),
    ("name CONTAINS[d] 'nej'", true), ("'aaab' CONTAINS 'aab'", true), ("'ab' CONTAINS 'abc'", false),
    ("nfd CONTAINS 'n'", true), ("name CONTAINS 'n'", false),
    // BEGINSWITH and ENDSWITH.
    ("name BEGINSWITH 'A'", true), ("name BEGINSWITH 'a'", false), ("name BEGINSWITH[c] 'a'", true),
    ("name BEGINSWITH[cd] 'AN'", true), ("gone BEGINSWITH 'a'", false), ("name BEGINSWITH gone", false),
    ("name BEGINSWITH ''", true), ("name ENDSWITH 'jo'", true), ("name ENDSWITH 'JO'", false),
    ("name ENDSWITH[c] 'JO'", true), ("name ENDSWITH ''", true), ("'a' ENDSWITH 'ba'", false),
    // LIKE.
    ("name LIKE 'A*'", true), ("name LIKE 'A????'", true), ("name LIKE 'A???'", false), ("name LIKE '*'", true),
    ("name LIKE 'ejo'", false), ("name LIKE '*ejo'", true), ("name LIKE[c] 'a*O'", true),
    ("name LIKE[d] 'An*'", true),
    ("nfd LIKE 'A?????'", true), ("'a*b' LIKE 'a\\\\*b'", true), ("'axb' LIKE 'a\\\\*b'", false),
    ("'a?b' LIKE 'a\\\\?b'", true), ("'a\\\\b' LIKE 'a\\\\\\\\b'", true), ("'' LIKE '*'", true),
    ("'' LIKE '?'", false),
    ("'' LIKE ''", true), ("'abcabd' LIKE '*abd'", true), ("'a.c' LIKE 'a.c'", true),
    ("'abc' LIKE 'a.c'", false),
    ("gone LIKE '*'", false), ("name LIKE gone", false), ("'a\\nb' LIKE 'a?b'", true), ("'💡' LIKE '?'", true),
    // MATCHES, which compares the whole string.
    ("name MATCHES '[a-hA-H].*'", true), ("name MATCHES '[a-h].*'", false), ("name MATCHES[c] '[a-h].*'", true),
    ("name MATCHES 'A'", false), ("'ab' MATCHES 'a|ab'", true), ("name MATCHES[d] 'An.*'", true),
    ("'' MATCHES ''", true),
    ("'a1' MATCHES '\\\\w\\\\d'", true), ("gone MATCHES '.*'", false), ("name MATCHES gone", false),
    ("'a\\n' MATCHES 'a'", false), ("'💡' MATCHES '.'", true),
    // ANY, ALL and NONE with an empty collection, with nil, and with members that are nil.
    ("ANY list == 3", true), ("ANY list == nil", true), ("ANY list > 3", false), ("ALL list > 0", false),
    ("ALL list != 2", true), ("NONE list == 2", true), ("NONE list == 3", false), ("SOME list == 3", true),
    ("ANY empty == nil", false), ("ALL empty == 1", true), ("NONE empty == 1", true),
    ("ANY gone == nil", false),
    ("ALL gone == 1", true), ("ANY tags ==[c] 'B'", true), ("ANY tags IN {'b'}", true),
    ("ALL tags LIKE '?'", true),
    // AND, OR and NOT.
    ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("NOT FALSEPREDICATE", true),
    ("one == 1 OR missing == 1", true), ("one == 2 AND missing == 1", false),
    ("one == 1 AND NOT gone == 1", true),
    ("TERNARY(one == 1, 'x', missing) == 'x'", true),
  ])
  func everyOperatorWithItsOptionsAndNil(text: String, holds: Bool) throws {
    #expect(try scene.holds(text) == holds)
  }

  @Test(arguments: [
    ("one < 'a'", "“one < \"a\"”: expected a number to compare with a number, found a string"),
    (
      "when < 10",
      "“when < 10”: expected a date to compare with a date, as in CAST(0, \"NSDate\"), found a number"
    ),
    ("'a' < 1", "“\"a\" < 1”: expected a string to compare with a string, found a number"),
    ("tags < 1", "“tags < 1”: expected a number, a date or a string, which have an order, found a set"),
    ("one BETWEEN {1}", "“one BETWEEN {1}”: expected two bounds, as in {1, 5}, found an array"),
    ("one IN 5", "“one IN 5”: expected a collection or a string to look in, found a number"),
    ("1 IN 'abc'", "“1 IN \"abc\"”: expected a string to look for in a string, found a number"),
    ("one BEGINSWITH '1'", "“one BEGINSWITH \"1\"”: expected a string, found a number"),
    ("name LIKE 1", "“name LIKE 1”: expected a string, found a number"),
    ("name MATCHES '('", "“name MATCHES \"(\"”: the pattern can't be used: “(” isn't a regular expression"),
    (
      "name MATCHES 'a)(b'",
      "“name MATCHES \"a)(b\"”: the pattern can't be used: “a)(b” isn't a regular expression"
    ),
    ("ANY one == 1", "“ANY one == 1”: expected a collection after ANY, found a number"),
    (
      "name UTI-EQUALS 'a'",
      "“name UTI-EQUALS \"a\"”: “UTI-EQUALS” (uniform type identifiers) can't be evaluated"
    ),
    ("missing == 1", "“missing”: the object “SELF” has no key “missing”"),
    ("name.first == 1", "“name.#first”: a string has no key “first”"),
    ("broken == 1", "“broken”: the row is damaged"), ("$x == 1", "“$x”: the variable “$x” isn't set here"),
    ("ANYKEY == 1", "“ANYKEY”: ANYKEY can't be evaluated"),
    ("($x := 1) == 1", "“$x := 1”: an assignment can't be evaluated"),
    (
      "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' MATCHES '(a+)+b'",
      "“\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" MATCHES \"(a+)+b\"”: matching “(a+)+b” takes too many steps or too much memory"
    ),
  ])
  func everyErrorNamesThePartAndWhatIsWrong(text: String, complaint: String) {
    #expect(scene.complaint(text) == complaint)
  }

  @Test func anEvaluationHasItsLimit() throws {
    var scene = Scene(["many": .array((0..<2000).map { Value.integer($0) })])
    scene.context.maximumSteps = 10_000
    #expect(try scene.holds("SUBQUERY(many, $x, $x > 1000).@count == 999"))
    let nested = "SUBQUERY(many, $x, SUBQUERY(many, $y, $y > $x).@count > 1).@count > 1"
    #expect(scene.complaint(nested)?.contains("evaluating takes more than 10000 steps") == true)
    let long = String(repeating: "ab", count: 20_000)
    let pattern = String(repeating: "a*", count: 20_000)
    scene.context.variables = ["long": .string(long), "pattern": .string(pattern)]
    #expect(scene.complaint("$long LIKE $pattern")?.contains("evaluating takes more than") == true)
  }
}
