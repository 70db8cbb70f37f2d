import PredicateFormat
import Testing

@Suite struct KeyPathTests {
  private static let pages: [Value] = [
    Row("p1", ["title": .string("one"), "size": .integer(3), "marks": .set([.string("x")]), "author": .null])
      .asValue,
    Row(
      "p2",
      ["title": .null, "size": .integer(5), "marks": .set([.string("x"), .string("y")]), "author": .null]
    ).asValue,
    Row(
      "p3",
      [
        "title": .string("one"), "size": .null, "marks": .set([]),
        "author": Row("a", ["age": .integer(9)]).asValue,
      ]
    ).asValue,
  ]
  private let scene = Scene(
    [
      "pages": .array(pages), "bag": .set(pages), "empty": .set([]), "owner": .null,
      "book": Row("b", ["title": .string("T"), "pages": .array(pages)]).asValue,
      "map": .dictionary(["k": .integer(1), "size": .integer(2)]), "#odd key": .integer(6),
    ], variables: ["source": Row("s", ["name": .string("N")]).asValue])

  @Test(arguments: [
    ("book.title", Value.string("T")), ("$source.name", .string("N")), ("owner.name", .null),
    ("owner.pages.@count", .null),
    ("pages.title", .array([.string("one"), .null, .string("one")])),
    ("pages.author.age", .array([.null, .null, .integer(9)])),
    ("pages.marks", .array([.string("x"), .string("x"), .string("y")])), ("bag.title.@count", .integer(3)),
    ("pages.@count", .integer(3)), ("empty.@count", .integer(0)), ("owner.@count", .null),
    ("map.@count", .integer(2)),
    ("pages.@sum.size", .integer(8)), ("empty.@sum.size", .integer(0)), ("pages.@avg.size", .double(8.0 / 3)),
    ("empty.@avg.size", .null), ("pages.@min.size", .integer(3)), ("pages.@max.size", .integer(5)),
    ("empty.@max.size", .null),
    ("pages.@max.marks.@count", .integer(2)), ("pages.@max.title.length", .integer(3)),
    ("owner.@sum.size", .null),
    ("pages.@unionOfObjects.title", .array([.string("one"), .string("one")])),
    ("pages.@distinctUnionOfObjects.title", .array([.string("one")])),
    ("bag.@distinctUnionOfObjects.title", .set([.string("one")])),
    ("pages.@distinctUnionOfObjects.title.@count", .integer(1)),
    ("pages.@unionOfArrays.marks", .array([.string("x"), .string("x"), .string("y")])),
    ("pages.@distinctUnionOfArrays.marks", .array([.string("x"), .string("y")])),
    ("pages.@distinctUnionOfSets.marks", .set([.string("x"), .string("y")])),
    ("pages[FIRST].size", .integer(3)), ("pages[LAST].author.age", .integer(9)), ("pages[SIZE]", .integer(3)),
    ("pages[1].size", .integer(5)), ("pages[7]", .null), ("pages[-1]", .null), ("owner[0]", .null),
    ("{}[FIRST]", .null),
    ("{}[LAST]", .null), ("map['k']", .integer(1)), ("map.k", .integer(1)), ("map.#size", .integer(2)),
    ("map.other", .null),
    ("FUNCTION(SELF, 'valueForKey:', '#odd key')", .integer(6)),
    ("FUNCTION(book, 'valueForKeyPath:', 'pages.@count')", .integer(3)),
    ("FUNCTION(book, 'valueForKey:', lowercase('TITLE'))", .string("T")),
    ("SUBQUERY(pages, $p, $p.#size > 3).@count", .integer(1)), ("SUBQUERY(owner, $p, $p.#size > 3)", .null),
    ("SUBQUERY(pages, $p, ANY $p.marks == 'x').title", .array([.string("one"), .null])),
    ("SUBQUERY(pages, $p, SUBQUERY($p.marks, $p, $p == 'y').@count == 1)[0].#size", .integer(5)),
    ("{1, 2} UNION {2.0, 3}", .set([.integer(1), .integer(2), .integer(3)])),
    ("{1, 2} INTERSECT {2.0}", .set([.integer(2)])),
    ("{1, 2} MINUS {2.0}", .set([.integer(1)])), ("owner UNION {1}", .set([.integer(1)])),
  ])
  func everyStepAndOperator(text: String, value: Value) throws {
    #expect(try scene.value(text) == value)
  }

  @Test(arguments: [
    ("bag[0]", "“bag[0]”: expected a list in order, found a set"),
    ("pages['k']", "“pages[\"k\"]”: expected a whole number as index, found a string"),
    ("book.@sum.title", "“book.@sum.title”: expected a collection for @sum, found an object"),
    ("pages.@sum.title", "“pages.@sum.title”: expected a number, found a string"),
    (
      "pages.@unionOfArrays.title",
      "“pages.@unionOfArrays.title”: expected a collection of collections, found a string"
    ),
    ("pages.nothing", "“pages.nothing”: the object “p1” has no key “nothing”"),
    ("SUBQUERY(book, $x, $x == 1)", "“SUBQUERY(book, $x, $x == 1)”: expected a collection, found an object"),
    ("SUBQUERY(pages, $x, $x.no == 1)", "“$x.#no”: the object “p1” has no key “no”"),
    ("{1} UNION 2", "“{1} UNION 2”: expected a collection, found a number"),
  ])
  func everyErrorNamesThePartAndWhatIsWrong(text: String, complaint: String) {
    #expect(scene.complaint(text) == complaint)
  }

  @Test func aSubqueryGivesItsVariableBack() throws {
    var scene = scene
    scene.context.variables["p"] = .integer(1)
    #expect(
      try scene.value("{SUBQUERY(pages, $p, $p.#size > 3).@count, $p}") == .array([.integer(1), .integer(1)]))
  }

  @Test func callersAnswerMessagesFunctionsAndRequests() throws {
    var scene = scene
    scene.context.functions = FunctionTable(
      named: ["shout": { arguments in .string("\(arguments.count)!") }, "fails": { _ in throw Row.Broken() }],
      message: { target, selector, arguments in
        guard case .className("App.Own") = target, selector == "twice:" else { return nil }
        return .array(arguments + arguments)
      },
      fetch: { request, _, countOnly in countOnly ? .integer(2) : .array([request]) })
    #expect(try scene.value("shout(1, 2)") == .string("2!"))
    #expect(try scene.value("shout:(1)") == .string("1!"))
    #expect(
      try scene.value("FUNCTION(CAST('App.Own', 'Class'), 'twice:', 3)") == .array([.integer(3), .integer(3)]))
    #expect(try scene.value("FETCH(1, $source, YES)") == .integer(2))
    #expect(try scene.value("FETCH(1, $source, NO)") == .array([.integer(1)]))
    #expect(scene.complaint("fails()") == "“fails()”: the row is damaged")
    #expect(
      scene.complaint("FUNCTION($source, 'twice:', 3)")?.contains("the object “s” doesn't answer “twice:”")
        == true)
  }
}
