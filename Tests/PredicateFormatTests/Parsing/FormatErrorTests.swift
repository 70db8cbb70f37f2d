import PredicateFormat
import Testing

@Suite struct FormatErrorTests {
  @Test(arguments: [
    ("a ==", 5, "expected an expression, found the end"),
    ("a", 2, "expected a comparison operator, found the end"),
    ("a b", 3, "expected a comparison operator, found “b”"),
    ("a == 1 b", 8, "expected AND, OR or the end, found “b”"),
    ("a == b == c", 8, "a comparison has two sides: expected AND, OR or the end, found “==”"),
    ("a NOT IN b", 3, "“NOT IN” isn't part of the language: write “NOT a IN b”"),
    ("(a == 1", 8, "expected “)” for the “(” before it, found the end"),
    ("a == {1, 2", 11, "expected “,” or “}” after the members of a “{”, found the end"),
    ("a == 'x", 6, "the string that begins here has no end"),
    (
      "a MATCHES '\\d'", 12,
      "unknown escape in a string: expected \\\", \\', \\\\, \\n, \\r, \\t, \\xHH or \\uHHHH; write \\\\ for a backslash, also in patterns"
    ),
    ("a == '\\ud83d'", 7, "half of a surrogate pair: a \\u escape without the other half"),
    ("a == '\\xZ1'", 7, "expected 2 hexadecimal digits"),
    ("a == 0x", 8, "expected digits of base 16"),
    ("a == 0x1FFFFFFFFFFFFFFFF", 6, "the number is too large: 64 bits are the most"),
    ("a == 1e999", 6, "the number is too large"),
    ("a == 12kg", 8, "a number and a word need a space between them"),
    ("a == ?", 6, "“?” has no meaning here"), ("a == $", 7, "expected a name after “$”"),
    ("a LIKE[cx] 'b'", 8, "unknown option “x”: expected c, d, n or l"),
    ("a LIKE[c 'b'", 10, "expected “]” after the options, found a string"),
    ("size == 1", 5, nil),
    ("a == first", 6, "expected an expression, found the reserved word “first”: write “#first” for a key"),
    (
      "a.@total == 1", 3,
      "unknown collection operator “@total”: expected one of @count, @sum, @avg, @min, @max, @distinctUnionOfObjects, @unionOfObjects, @distinctUnionOfArrays, @unionOfArrays, @distinctUnionOfSets"
    ),
    ("a == %@", 6, "“%@” needs an argument, but stored text has no arguments; write the value or key instead"),
    ("a == %%", 6, "“%%” is a percent sign, and no percent sign is allowed here"),
    ("a == 5 % 2", 8, "expected “@”, “K” or a letter of printf after “%”"),
    ("a == sqrt(1, 2)", 10, "“sqrt:” takes 1 argument, not 2"),
    ("CAST(a) == 1", 7, "expected “,” after the value, found “)”"),
    ("CAST(a, NSDate) == 1", 9, "expected a type in quotes, as in “\"NSDate\"”, found “NSDate”"),
    ("TERNARY(a, b, c) == 1", 10, "expected a comparison operator, found “,”"),
    ("SUBQUERY(a, x, x == 1).@count > 0", 13, "expected a variable, as in “$x”, found “x”"),
    ("FUNCTION($m, sel) == 1", 14, "expected the selector in quotes, found “sel”"),
    ("FETCH(a, b, 2) == 1", 13, "expected YES or NO, found a number"),
    ("(a == 1) + 1 == 2", 10, "expected AND, OR or the end, found “+”"),
    ("1 + (a == 1) == 2", 5, "expected an expression, found a predicate"),
    ("ANY a", 6, "expected a comparison operator, found the end"),
    ("NOT a", 6, "expected a comparison operator, found the end"),
    ("a AND b == 1", 3, "expected a comparison operator, found “AND”"),
    ("", 1, "expected an expression, found the end"),
  ])
  func whereAndWhatAndWhatStandsThere(text: String, column: Int, reason: String?) {
    let error = #expect(throws: FormatError.self) { try FormatPredicate(parsing: text) }
    #expect(error?.line == 1)
    if let reason {
      #expect(error?.column == column)
      #expect(error?.reason == reason)
    }
  }

  @Test func theExcerptPointsAtThePlace() {
    let error = #expect(throws: FormatError.self) {
      try FormatPredicate(parsing: "a == 1\n  AND añb ! 3\nOR c == 1")
    }
    #expect(
      error?.description == """
        line 2, column 11: expected a comparison operator, found “!”
            AND añb ! 3
                    ^
        """)
  }

  @Test func longLinesAreCut() {
    let text =
      String(repeating: "aaaa == 1 AND ", count: 30) + "? == 1" + String(repeating: " AND b == 1", count: 30)
    let error = #expect(throws: FormatError.self) { try FormatPredicate(parsing: text) }
    #expect(error?.column == 421)
    #expect(error.map { $0.excerpt.count < 300 } == true)
  }
}
