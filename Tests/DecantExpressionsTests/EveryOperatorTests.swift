import PredicateFormat
import Testing

@testable import DecantStore

/// Evaluates every operator, alias, option and function over the same rows by SQL and by the evaluator.
@Suite struct EveryOperatorTests {
  private static func agree(_ texts: [String], of entity: String, values: Bool = false) throws {
    for seed: UInt64 in [3, 4] {
      let store = try ExpressionStore(seed: seed, rowsPerEntity: 7)
      var tally = ExpressionStore.Tally()
      for text in texts {
        if values {
          try store.value(text, of: entity, &tally)
        } else {
          try store.condition(text, of: entity, &tally)
        }
      }
      #expect(tally.disagreements.isEmpty, "\(tally.disagreements.joined(separator: "\n"))")
      #expect(tally.refused.isEmpty)
      #expect(tally.rows > texts.count)
    }
  }

  @Test func signsAndTheirAliases() throws {
    let signs = ["=", "==", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>"]
    let pairs = [
      ("small", "1"), ("large", "real"), ("real", "single"), ("price", "10.11"), ("price", "small"),
      ("text", "other"),
      ("text", "'abc'"), ("moment", "later"), ("moment", "CAST(0, 'NSDate')"), ("moment", "now()"),
      ("flag", "1"),
      ("flag", "YES"), ("large", "9007199254740992.0"), ("passing", "'a'"), ("author.age", "middle"),
      ("nil", "small"),
    ]
    try Self.agree(
      pairs.flatMap { pair in
        signs.map { "\(pair.0) \($0) \(pair.1)" } + ["\(pair.0) == nil", "nil != \(pair.0)"]
      },
      of: "Note")
  }

  @Test func kindsThatAreEqualOrNotAndHaveNoOrder() throws {
    try Self.agree(
      [
        "identifier == CAST('8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11', 'NSUUID')", "identifier != nil",
        "link == CAST('https://example.org/a', 'NSURL')", "bytes == CAST('AQID', 'NSData')",
        "outside == bytes", "outside == nil", "thing == nil", "author == next.author", "SELF == previous.next",
        "$source == SELF", "author == SELF", "folder.parent != folder", "text == small", "moment == 0",
        "identifier == text", "author == nil", "passing == nil", "identifier < identifier", "author < author",
        "text < small", "moment > 5", "elsewhere != next",
      ], of: "Note")
  }

  @Test func stringOperatorsWithAllOptions() throws {
    let words = [
      "==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "IN", "LIKE", "MATCHES", "like", "Matches",
    ]
    let options = ["", "[c]", "[d]", "[cd]", "[dc]", "[n]", "[l]", "[cdnl]"]
    let parts = ["other", "'a'", "'Ä*'", "'a\u{308}rger'", "''", "nil", "author.name"]
    try Self.agree(
      words.flatMap { word in
        options.flatMap { option in parts.map { "text \(word)\(option) \($0)" } }
      }, of: "Note")
    try Self.agree(
      ["text LIKE 'a\\\\?b'", "text LIKE '?'", "text MATCHES '('", "small LIKE '1'", "text MATCHES '\\\\d+'"],
      of: "Note")
  }

  @Test func betweenAndIn() throws {
    try Self.agree(
      [
        "small BETWEEN {1, 5}", "real BETWEEN {small, 3}", "text BETWEEN {'a', 'b'}",
        "moment BETWEEN {CAST(0, 'NSDate'), now()}",
        "text BETWEEN[c] {'A', 'B'}", "small BETWEEN {nil, 5}", "small BETWEEN {1}", "small BETWEEN 3",
        "text BETWEEN {1, 2}",
        "small IN {1, 2.0, 3}", "small IN {}", "small IN {nil, 1}", "text IN {'a', 'ABC', nil}",
        "text IN[cd] {'arger', 'abc'}",
        "text IN {other, author.name}", "real IN {1, 'a'}", "moment IN {now(), CAST(0, 'NSDate')}",
        "nil IN {nil}",
        "identifier IN {CAST('8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11', 'NSUUID')}", "price IN {10.11, 5}",
        "flag IN {YES}",
        "small IN 5", "{1, 2} CONTAINS small", "author IN {next.author, previous.author}",
        "text IN comments.text",
        "comments CONTAINS nil", "lines.text CONTAINS text", "small IN comments.stars",
        "text IN[c] comments.text",
        "1 IN SUBQUERY(comments, $c, $c.stars > 0).stars", "nil IN comments.note.passing",
      ], of: "Note")
  }

  @Test func logic() throws {
    try Self.agree(
      [
        "TRUEPREDICATE", "FALSEPREDICATE", "flag == YES AND small > 1", "flag == YES && small > 1 && real < 2",
        "flag == YES OR small > 1 OR text == 'a'", "flag == YES || small > 1", "NOT flag == YES",
        "!(small > 1)",
        "NOT (small > 1 AND real > 1) OR text == nil", "TERNARY(flag == YES, small, real) > 1",
        "small == nil OR text < 5", "NOT (text == nil) AND text.length > 2",
        "TERNARY(small > 1, text, moment) == text",
      ], of: "Note")
  }

  @Test func quantifiers() throws {
    let collections = [
      "comments.stars", "comments.text", "lines.text", "comments.note.small", "author.likes.name",
      "author.tags.authors.name",
      "folder.tags.name", "folder.folders.notes.text", "comments.task.checks.stars",
      "SUBQUERY(comments, $c, $c.stars > 1).text",
    ]
    let tests = ["== 1", "!= 'a'", "== nil", "IN {1, 'abc'}", "> 0", "BEGINSWITH[c] 'a'", "LIKE '*a*'"]
    try Self.agree(
      collections.flatMap { path in
        ["ANY", "ALL", "NONE", "SOME", "some"].flatMap { word in tests.map { "\(word) \(path) \($0)" } }
      }, of: "Note")
    try Self.agree(
      [
        "ANY comments == nil", "ANY author.notes == SELF", "ALL lines != nil", "ANY small == 1", "ALL nil == 1",
        "ANY {1, 2} == small",
      ],
      of: "Note")
  }

  @Test func collectionOperators() throws {
    let operators = ["sum", "avg", "min", "max"]
    let paths = ["stars", "text", "at", "note.price", "note.real", "task.points"]
    try Self.agree(
      operators.flatMap { name in paths.map { "comments.@\(name).\($0)" } }
        + [
          "comments.@count", "comments[SIZE]", "author.notes.@count", "author.tags.authors.@count",
          "count:(comments)", "author.@count",
          "author.tags.@distinctUnionOfSets.authors.@count", "author.notes.@max.comments.@count",
          "author.tags.@unionOfArrays.folders.@count", "author.notes.@sum.price",
          "comments.@unionOfObjects.stars.@count", "comments.stars.@max.self",
        ], of: "Note", values: true)
    let unions = ["unionOfObjects", "distinctUnionOfObjects"]
    try Self.agree(
      unions.flatMap { name in paths.map { "comments.@\(name).\($0) CONTAINS 1" } }
        + ["author.tags.@distinctUnionOfArrays.folders.title CONTAINS 'a'"], of: "Note")
  }

  @Test func listsByPlace() throws {
    try Self.agree(
      [
        "lines[FIRST].text", "lines[LAST].text", "lines[0].text", "lines[2].text", "lines[small].text",
        "lines[SIZE]",
        "lines.text[FIRST]", "lines.text[LAST]", "lines[FIRST].note.text", "comments[FIRST]",
        "comments.text[LAST]",
        "folder.notes[FIRST].text", "folder.notes[LAST].author.name", "folder.tags[1].name",
        "folder.tags.folders.title[3]",
        "{1, 2, 3}[small]", "{text, other}[FIRST]", "folder.notes.text[small]",
      ].filter { $0 != "lines[small].text" }, of: "Note", values: true)
  }

  @Test func arithmeticAndFunctions() throws {
    let numbers = [
      "small", "large", "real", "price", "flag", "9223372036854775807", "0", "2.5", "nil", "author.rating",
      "single",
    ]
    let pairs = numbers.flatMap { left in ["large", "real", "price", "3", "-1", "0"].map { (left, $0) } }
    let two = [
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
      "bitwiseAnd:with:",
      "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
    ]
    let one = ["sqrt", "log", "ln", "exp", "floor", "ceiling", "abs", "trunc", "onesComplement", "noindex"]
    try Self.agree(two.flatMap { name in pairs.map { "\(name)(\($0.0), \($0.1))" } }, of: "Note", values: true)
    try Self.agree(
      one.flatMap { name in numbers.map { "\(name)(\($0))" } }
        + ["average", "sum", "count", "min", "max", "median", "mode", "stddev"].flatMap { name in
          ["comments.stars", "{small, real, 3}", "author.notes.price", "nil", "comments.text"].map {
            "\(name)(\($0))"
          }
        }
        + [
          "uppercase(text)", "lowercase:(text)", "now()", "small + middle * 2 - real / 3", "small ** 2",
          "moment + 1",
          "text + 'a'", "-small", "unheardOf(small)",
        ],
      of: "Note", values: true)
  }

  @Test func castsKeysOfValuesAndSets() throws {
    let types = [
      "NSDate", "NSNumber", "NSDecimalNumber", "NSString", "NSUUID", "NSURL", "NSData", "NSArray", "NSSet",
      "Class", "NSObject",
    ]
    let values = [
      "small", "large", "real", "price", "text", "moment", "identifier", "link", "bytes", "flag", "nil", "'12'",
    ]
    try Self.agree(
      types.filter { $0 != "Class" }.flatMap { type in values.map { "CAST(\($0), '\(type)')" } }
        + [
          "text.length", "bytes.length", "outside.length", "text.uppercaseString", "text.integerValue",
          "text.doubleValue",
          "small.stringValue", "price.stringValue", "real.intValue", "moment.timeIntervalSince1970",
          "identifier.UUIDString",
          "link.absoluteString", "text.nothing", "comments.text.length.@sum.self",
          "TERNARY(small > 1, text, other).length",
          "TERNARY(small > 1, author, next.author).name", "TERNARY(flag == YES, text, small)",
          "TERNARY(flag == 1, price, moment)",
          "FUNCTION(text, 'valueForKey:', 'length')",
        ], of: "Note", values: true)
    try Self.agree(
      [
        "(comments.stars UNION {1, 2}).@count == 3", "(author.notes INTERSECT folder.notes).@count > 0",
        "(comments.text MINUS lines.text).@max.self > 'a'",
        "CAST(lines.text, 'NSSet') == CAST(comments.text, 'NSSet')",
        "comments == nil", "author.notes == nil", "author.notes != nil", "{1, small} == {1, 1.0}",
      ], of: "Note")
  }

  @Test func keysOfSubentities() throws {
    try Self.agree(
      [
        "done", "points", "body", "owner.name", "checks.@count", "elsewhere.points", "next.points", "next.done",
        "elsewhere.next.owner.age", "author.notes.points.@count", "author.notes.text.@count",
        "author.notes.done[SIZE]", "folder.notes.points.@count", "comments.note.points.@count",
      ],
      of: "Note", values: true)
    try Self.agree(
      ["done == YES", "points > 1", "checks.@count > 0", "owner == author", "next.points == points"], of: "Task"
    )
    try Self.agree(
      ["done == YES OR TRUEPREDICATE", "text != nil OR done == YES", "ANY author.notes.points > 1"], of: "Note")
  }
}
